import { isDeepStrictEqual } from 'node:util'
import { jsonType } from '../shared/answers.js'

/**
 * What a right answer is, apart from the slow server, and whether an answer is that. Pure.
 *
 * @import { LoadAnswer } from '../../runner/lesson/index.js'
 * @import { Route } from './types.js'
 *
 * @typedef {Pick<LoadAnswer, 'status' | 'headers' | 'text' | 'json'>} Seen
 */

const mostShown = 120

class Reply {
  /** @param {number} status @param {unknown} json @param {Record<string, string>} headers */
  constructor (status, json, headers) {
    this.status = status
    this.json = json
    this.headers = headers
  }
}

/**
 * An answer with its own status or headers, where a route's function would return its JSON.
 *
 * @param {number} status
 * @param {unknown} json or a function of the answer that returns it
 * @param {Record<string, string>} [headers] by names in lower case; lists in any order
 */
export function reply (status, json, headers = {}) {
  return new Reply(status, json, headers)
}

/**
 * What is wrong with an answer; undefined when nothing is.
 *
 * @param {Seen} answer
 * @param {readonly unknown[]} possible JSON, replies, or undefined for any 404
 * @param {{ status?: number, meaning?: Route['meaning'] }} [options] status: of JSON; meaning: what of a body counts
 * @returns {string | undefined}
 */
export function wrongReply (answer, possible, { status = 200, meaning = jsonOf } = {}) {
  const replies = possible.map((one) => one instanceof Reply ? one : reply(one === undefined ? 404 : status, one))
  const alike = replies.filter((one) => one.status === answer.status)
  if (alike.length === 0) return `expected status ${replies[0].status}, got ${answer.status}`
  if (alike.some(({ json }) => json === undefined)) return
  const type = answer.headers['content-type'] ?? ''
  if (!jsonType.test(type)) return `Content-Type is ${type || 'missing'}`
  for (const [name, value] of Object.entries(alike[0].headers)) {
    const got = answer.headers[name]
    if (partsOf(value) !== partsOf(got)) return `expected ${name}: ${value}, got ${got ?? 'none'}`
  }
  const text = answer.text()
  const texts = alike.map(({ json }) => textOf(typeof json === 'function' ? json(answer) : json))
  if (texts.includes(text)) return
  const meant = (/** @type {any} */ one) => meaning(one, { data: undefined })
  const shown = meant(answer)
  const meansSame = (/** @type {string} */ one) =>
    isDeepStrictEqual(meant({ ...answer, text: () => one, json: () => JSON.parse(one) }), shown)
  if (texts.some(meansSame)) return
  const from = differentFrom(texts[0], text)
  return `expected ${brief(texts[0], from)}, got ${brief(text, from)}`
}

/** @param {{ json: () => any }} answer */
function jsonOf (answer) {
  return answer.json()
}

/** By object: many answers contain it. @type {WeakMap<object, string>} */
const known = new WeakMap()

/** @param {unknown} json @returns {string} */
function textOf (json) {
  if (Array.isArray(json)) return `[${json.map(textOf).join(',')}]`
  if (typeof json !== 'object' || json === null) return JSON.stringify(json)
  const text = known.get(json) ?? JSON.stringify(json)
  known.set(json, text)
  return text
}

/** @param {string} [list] */
function partsOf (list = '') {
  return list.toLowerCase().split(/\s*,\s*/).sort().join()
}

/** Where to begin, so that the first difference is shown. @param {string} one @param {string} other */
function differentFrom (one, other) {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at < mostShown ? 0 : at - 20
}

/** @param {string} text @param {number} from */
function brief (text, from) {
  const rest = text.slice(from)
  return `${from > 0 ? '…' : ''}${rest.length > mostShown ? `${rest.slice(0, mostShown - 1)}…` : rest}`
}
