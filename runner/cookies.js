import { headerValues } from './headers.js'

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
