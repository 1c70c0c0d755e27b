import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** A body may be so long, packed and unpacked: a few hundred bytes can unpack to gigabytes. */
export const mostBytes = 64 * 1024 ** 2
const options = { maxOutputLength: mostBytes }
const gunzip = (/** @type {Buffer} */ bytes) => gunzipSync(bytes, options)

/**
 * The function that undoes a Content-Encoding (RFC 9110, 8.4.1), by its name in lower case. Throws for a body that is
 * too long.
 *
 * @type {Record<string, (bytes: Buffer) => Buffer>}
 */
export const decoders = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: (bytes) => inflateSync(bytes, options),
  br: (bytes) => brotliDecompressSync(bytes, options)
}

/**
 * @param {Buffer} body
 * @param {string} [encoding] that it is compressed with; what is unknown is taken for none
 * @returns {string}
 */
export function plainText (body, encoding = 'identity') {
  return (decoders[encoding]?.(body) ?? body).toString()
}
