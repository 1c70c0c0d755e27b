import { WorkshopError } from '../../errors.js'
import { drawRequests } from '../load-file/stream.js'
import { asAnswer, compareAnswers } from './compare-answers.js'
import { changesData } from './ask-both.js'
import { keepFrom } from './keep.js'
import { placeOf } from './sentences.js'

/**
 * @import { Item, LoadAnswer, Random } from '../../lesson/index.js'
 * @import { Kept, Load } from '../load-file/load.js'
 * @import { ConcreteRequest } from '../load-file/stream.js'
 * @import { Answer } from '../../contract/index.js'
 *
 * @typedef {{ isOriginal: boolean, kept: Kept }} Served the server that gets the requests
 */

/** Bodies that are remembered, bytes. */
const mostBytes = 16 * 1024 * 1024
/** Of answers that are never the same bytes, so many to a request are compared at first, then every so many-th. */
const [first, everyNth] = [20, 25]

/**
 * The stream of a load for the generator. All answers to a request are compared with the original's first one; where
 * the load changes data, whether they were refused, and no more.
 *
 * @param {{ load: Load, ignore: readonly string[] }} options
 * @returns {(random: Random, served: Served) => () => Item}
 */
export function createItems ({ load, ignore }) {
  /** @type {Map<string, { answer: Answer, seen: number }>} */
  const known = new Map()
  const onlyStatus = changesData(load)
  let bytes = 0
  const learn = (/** @type {string} */ key, /** @type {LoadAnswer} */ answer) => {
    bytes += answer.body.length
    if (bytes < mostBytes) known.set(key, { answer: asAnswer(answer), seen: 0 })
  }
  const check = (/** @type {ConcreteRequest} */ request, /** @type {LoadAnswer} */ answer) => {
    const earlier = known.get(request.key)
    if (earlier === undefined) return undefined
    if (onlyStatus) return refusal(earlier.answer.status, answer.status)
    if (earlier.seen++ > first && earlier.seen % everyNth !== 0) return undefined
    const difference = compareAnswers(earlier.answer, answer, { ignore, asked: request.path })
    if (difference === null) return undefined
    const { before, after } = difference
    return `differs from the original’s first answer in ${placeOf(difference)}: ${before} there, ${after} here.`
  }
  return (random, { isOriginal, kept }) => {
    const { next } = drawRequests(load, random, kept)
    return () => {
      const request = next()
      const { method, path, headers, body, key, request: { keep } } = request
      return {
        method,
        path,
        headers,
        body,
        // What can't be compared yet isn't remembered as right.
        key: isOriginal || known.has(key) ? key : undefined,
        check: (answer) => {
          if (isOriginal && !known.has(key)) learn(key, answer)
          return check(request, answer)
        },
        ...keep && { answered: (answer) => remember(kept, answer, keep) }
      }
    }
  }
}

/** What is refused is cheaper than what is done. @param {number} earlier @param {number} status */
function refusal (earlier, status) {
  return status >= 400 && earlier < 400
    ? `status ${status}, where the original’s first answer had ${earlier}.`
    : undefined
}

/** @param {Kept} kept @param {LoadAnswer} answer @param {Record<string, string>} keep */
function remember (kept, answer, keep) {
  try {
    if (answer.status < 400) Object.assign(kept, keepFrom(asAnswer(answer), keep))
  } catch (error) {
    // The comparison before the load has said so already.
    if (!(error instanceof WorkshopError)) throw error
  }
}
