/**
 * What an honest server may write in more than one way, and what it has written so far.
 *
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { LoadAnswer, Step } from '../../runner/lesson/index.js'
 */

/** JSON is always UTF-8 (RFC 8259, sections 8.1 and 11): a charset may say so, and need not. */
export const jsonType = /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i

/** What is wrong with the status or the type of JSON. @param {Answer | LoadAnswer} answer @param {number} [wanted] */
export function headProblem ({ status, headers: { 'content-type': type = 'missing' } }, wanted = 200) {
  if (status !== wanted) return `expected status ${wanted}, got ${status}`
  if (!/^application\/json\b/i.test(type)) return `Content-Type is ${type}`
}

/** @param {LoadAnswer | Answer} answer @returns {any} undefined when it can't be read */
export function jsonIn (answer) {
  try {
    return answer.json()
  } catch {}
}

/**
 * A Location may be absolute or relative to the requested URL (RFC 9110, section 10.2.2).
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
 * @param {Answer} answer
 */
export function meaningOfError (answer) {
  const { message, ...error } = answer.json()
  return { ...error, message: typeof message }
}

/**
 * What was answered so far, in the order of the questions. Where a sequence was made shorter, some have no answer.
 *
 * @param {Step[]} steps
 * @param {(step: Step) => Answer} answerOf
 * @returns {{ step: Step, answer: Answer }[]}
 */
export function answersOf (steps, answerOf) {
  return steps.toSorted((a, b) => a.id - b.id).flatMap((step) => {
    try {
      return [{ step, answer: answerOf(step) }]
    } catch {
      return []
    }
  })
}

/**
 * How many requests an operation has drawn: those that are sent once more count once.
 *
 * @param {readonly { asked: unknown }[]} steps of it
 */
export function countDrawn (steps) {
  return new Set(steps.map(({ asked }) => asked)).size
}
