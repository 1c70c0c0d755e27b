import { decoders } from '../decoders.js'
import { joinHeaders } from '../headers.js'

/**
 * An answer as it is without compression. Pure.
 *
 * @param {{ rawHeaders: string[], body: Buffer }} answer
 * @returns {{ rawHeaders: string[], body: Buffer } | undefined} undefined: it is not compressed as it
 *   says, or is too long
 */
export function unzip ({ rawHeaders, body }) {
  const encoding = joinHeaders(rawHeaders)['content-encoding']?.toLowerCase()
  if (encoding === undefined || encoding === 'identity') return { rawHeaders, body }
  try {
    const plain = body.length === 0 ? body : decoders[encoding](body)
    return { rawHeaders: plainHeaders(rawHeaders, plain.length), body: plain }
  } catch {
    return undefined
  }
}

/** @param {string[]} rawHeaders names and values in turn @param {number} length of the body, for who had one */
function plainHeaders (rawHeaders, length) {
  const names = rawHeaders.map((_, at) => rawHeaders[at - at % 2].toLowerCase())
  return rawHeaders
    .map((text, at) => at % 2 === 1 && names[at] === 'content-length' ? String(length) : text)
    .filter((_, at) => names[at] !== 'content-encoding')
}
