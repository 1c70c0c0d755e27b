/** What an honest server may write in more than one way. */

/** JSON is always UTF-8 (RFC 8259, sections 8.1 and 11): a charset may say so, and need not. */
export const jsonType = /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i

/**
 * A Location may be absolute or relative to what was asked for (RFC 9110, section 10.2.2).
 *
 * @param {string | undefined} location
 * @param {string} from the path of the request
 * @param {string} path where it should lead
 */
export function leadsTo (location, from, path) {
  if (location === undefined) return false
  try {
    const { protocol, pathname, search } = new URL(location, new URL(from, 'http://127.0.0.1'))
    return /^https?:$/.test(protocol) && pathname + search === path
  } catch {
    return false
  }
}

/**
 * An error without its words, which are every server's own.
 *
 * @param {import('../../runner/contract/index.js').Answer} answer
 */
export function meaningOfError (answer) {
  const { message, ...error } = answer.json()
  return { ...error, message: typeof message }
}
