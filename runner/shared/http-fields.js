import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/**
 * The headers of a response by name in lower case; repeated ones joined by `, ` (RFC 9110, 5.3).
 *
 * @param {readonly string[]} rawHeaders names and values in turn, as node:http and autocannon give them
 * @returns {Record<string, string>} without a prototype: a header may be called anything
 */
export function joinHeaders (rawHeaders) {
  /** @type {Record<string, string>} */
  const headers = Object.create(null)
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i].toLowerCase()
    headers[name] = name in headers ? `${headers[name]}, ${rawHeaders[i + 1]}` : rawHeaders[i + 1]
  }
  return headers
}

/**
 * Every value of a header that must not be joined, such as Set-Cookie.
 *
 * @param {readonly string[]} rawHeaders
 * @param {string} name in lower case
 */
export function headerValues (rawHeaders, name) {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1].toLowerCase() === name)
}

/**
 * @typedef {object} Cookie
 * @property {string} name
 * @property {string} value percent-decoded where that is possible
 * @property {Record<string, string | true>} attributes names in lower case; true for flags
 */

/** The cookies that a response sets (RFC 6265, 4.1.1). @param {string[]} rawHeaders names and values in turn */
export function cookiesOf (rawHeaders) {
  return headerValues(rawHeaders, 'set-cookie').map(parseCookie)
}

/** @param {string} header the value of one Set-Cookie @returns {Cookie} */
export function parseCookie (header) {
  const [pair, ...rest] = header.split(';')
  const [name, value] = cut(pair)
  return {
    name,
    value: decode(value ?? ''),
    attributes: Object.fromEntries(rest.map((part) => {
      const [attribute, setting] = cut(part)
      return [attribute.toLowerCase(), setting ?? true]
    }))
  }
}

/** @param {string} part @returns {[string, string | undefined]} */
function cut (part) {
  const at = part.indexOf('=')
  return at < 0 ? [part.trim(), undefined] : [part.slice(0, at).trim(), part.slice(at + 1).trim()]
}

/** @param {string} value */
function decode (value) {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

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
 * The body as it is without compression, or as it came where it can't be unpacked.
 *
 * @param {{ headers: Record<string, any>, body: Buffer }} answer
 * @returns {Buffer}
 */
export function plainBody ({ headers, body }) {
  try {
    return decoders[headers['content-encoding']?.toLowerCase()]?.(body) ?? body
  } catch {
    return body
  }
}

/** By body and encoding: many look at the same long response. @type {WeakMap<Buffer, Map<string, string>>} */
const textsOf = new WeakMap()

/**
 * @param {Buffer} body which nothing changes
 * @param {string} [encoding] that it is compressed with; what is unknown is taken for none
 * @returns {string}
 */
export function plainText (body, encoding = 'identity') {
  const texts = textsOf.get(body) ?? new Map()
  const text = texts.get(encoding) ?? (decoders[encoding]?.(body) ?? body).toString()
  textsOf.set(body, texts.set(encoding, text))
  return text
}
