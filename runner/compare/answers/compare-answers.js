import { isUtf8 } from 'node:buffer'
import { Answer, difference } from '../../contract/index.js'
import { plainText } from '../../decoders.js'
import { isPlainHeader, isSecret, withoutSecrets } from '../secrets.js'

/**
 * @import { Cookie } from '../../cookies.js'
 *
 * @typedef {Pick<Answer, 'status' | 'headers' | 'body'> & { cookies: Cookie[] | (() => Cookie[]) }} AnyAnswer of the
 *   contract's client or of the load
 *
 * @typedef {object} AnswerDifference the first one
 * @property {'status' | 'header' | 'body'} what
 * @property {string} path the name of the header, or the place in a body: `items[3].price`; else empty
 * @property {string} before
 * @property {string} after
 */

/**
 * How an answer differs from another in what it means: the status; headers that a client acts on (type, encoding,
 * Allow, Location, caching, the names and flags of cookies, whether there is an ETag); a JSON body by value, any other
 * as it is. Pure.
 *
 * @param {AnyAnswer} a
 * @param {AnyAnswer} b
 * @param {{ ignore?: readonly string[], asked?: string }} [options] ignore: as in a load file; asked: the path that
 *   was requested
 * @returns {AnswerDifference | null}
 */
export function compareAnswers (a, b, { ignore = [], asked = '' } = {}) {
  const isOpen = ignore.includes(asked.split('?')[0])
  const [expected, got] = [a, b].map((answer) => ({ answer: asAnswer(answer, ignore) }))
  const meaning = (/** @type {Answer} */ answer) => isOpen ? '' : meaningOf(answer, ignore)
  const operation = { rule: '', draw: () => null, tagged: true, headers: [location], meaning }
  const found = difference(operation, {}, expected, got)
  if (found === null) return null
  const [, what, path] = /^the (status|header|body)(?: at)? ?(.*)$/.exec(found.what) ?? []
  const isHidden = isSecret(path) || (what === 'header' && !isPlainHeader(path))
  const [before, after] = isHidden ? ['one value', 'another'] : [found.expected, found.got].map(withoutSecrets)
  return { what: /** @type {AnswerDifference['what']} */ (what), path, before, after }
}

/** The host and the port are those of each server. */
const location = {
  name: 'location',
  read: (/** @type {string | undefined} */ value) => {
    if (value === undefined) return undefined
    const { pathname, search, hash } = new URL(value, 'http://127.0.0.1')
    return pathname + search + hash
  }
}

/**
 * @param {AnyAnswer} answer
 * @param {readonly string[]} [ignore] names of headers that are left out
 * @returns {Answer}
 */
export function asAnswer ({ status, headers, cookies, body }, ignore = []) {
  const left = Object.entries(headers).filter(([name]) => !ignore.some((one) => one.toLowerCase() === name))
  const answer = new Answer({ label: '', status, rawHeaders: left.flat(), body, elapsedMs: 0 })
  // Joined, they can't be told apart.
  if ('set-cookie' in answer.headers) answer.cookies = typeof cookies === 'function' ? cookies() : cookies
  return answer
}

/** @param {Answer} answer @param {readonly string[]} ignore @returns {unknown} */
function meaningOf ({ headers, body }, ignore) {
  try {
    const text = plainText(body, headers['content-encoding']?.toLowerCase())
    // Many servers send JSON without saying so.
    if (/^\s*[[{]/.test(text)) return prune(JSON.parse(text), ignore, '')
    return isUtf8(body) ? text : body
  } catch {
    return body
  }
}

/** @param {any} value @param {readonly string[]} ignore @param {string} path @returns {any} without what is ignored */
function prune (value, ignore, path) {
  if (ignore.length === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => prune(item, ignore, path))
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => {
    const place = path === '' ? key : `${path}.${key}`
    return ignore.includes(key) || ignore.includes(place) ? [] : [[key, prune(item, ignore, place)]]
  }))
}
