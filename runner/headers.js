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
