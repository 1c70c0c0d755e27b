import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { joinHeaders } from '../headers.js'

/** @type {Record<string, (bytes: Buffer) => Buffer>} */
const decoders = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync }

/**
 * An answer as it is without compression. Pure.
 *
 * @param {{ rawHeaders: string[], body: Buffer }} answer
 * @returns {{ rawHeaders: string[], body: Buffer } | undefined} undefined: it is not compressed as it says
 */
export function unzip ({ rawHeaders, body }) {
  const encoding = joinHeaders(rawHeaders)['content-encoding']?.toLowerCase()
  if (encoding === undefined || encoding === 'identity') return { rawHeaders, body }
  const kept = rawHeaders.filter((_, at) => !isOfEncoding(rawHeaders[at - at % 2]))
  try {
    return { rawHeaders: kept, body: body.length === 0 ? body : decoders[encoding](body) }
  } catch {
    return undefined
  }
}

/** @param {string} name of a header */
function isOfEncoding (name) {
  return ['content-encoding', 'content-length', 'transfer-encoding'].includes(name.toLowerCase())
}
