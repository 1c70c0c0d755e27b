import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/**
 * What undoes a Content-Encoding (RFC 9110, 8.4.1), by its name in lower case.
 *
 * @type {Record<string, (bytes: Buffer) => Buffer>}
 */
export const decoders = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync }

/**
 * @param {Buffer} body
 * @param {string} [encoding] that it is compressed with; what is unknown is taken for none
 * @returns {string}
 */
export function plainText (body, encoding = 'identity') {
  return (decoders[encoding]?.(body) ?? body).toString()
}
