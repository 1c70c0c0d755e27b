import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/**
 * What undoes a Content-Encoding (RFC 9110, 8.4.1), by its name in lower case.
 *
 * @type {Record<string, (bytes: Buffer) => Buffer>}
 */
export const decoders = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync }
