import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** Forms of a content (RFC 9110, 8.4 and 12.5.3). Pure. */

/** @type {Record<string, (bytes: Buffer) => Buffer>} */
const decoders = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync }

/**
 * Ways to say what a client accepts; the first says nothing.
 *
 * @param {readonly string[]} [encodings] that a route compresses with
 * @returns {Record<string, string>[]} headers
 */
export function accepted (encodings = []) {
  if (encodings.length === 0) return [{}]
  const texts = encodings.flatMap((name) =>
    [name, name.toUpperCase(), `deflate,${name};q=0.5`, `${name};q=0`, `${name};q=0.0, compress`])
  return [{}, ...['identity', 'br;q=0', ...texts].map((text) => ({ 'Accept-Encoding': text }))]
}

/**
 * @param {{ headers: Record<string, any>, body: Buffer }} answer
 * @returns {string} its text, whatever it is compressed with
 */
export function plainText ({ headers, body }) {
  return (decoders[headers['content-encoding']]?.(body) ?? body).toString()
}

/** A 304 has no body, and need not say how that is encoded. */
export const encodingOfBody = {
  name: 'content-encoding',
  /** @param {string | undefined} value @param {{ status: number }} answer */
  read: (value, { status }) => status === 304 ? 'none' : value ?? 'identity'
}
