import { WorkshopError } from '../runner/shared/errors.js'
import { keepFrom } from './ask-both.js'
import { asAnswer, compareAnswers } from './differences.js'
import { changesData, drawRequests } from './load-file.js'

/**
 * A comparison as a lesson: what the load generator imports in its process. The load itself is in the session's data.
 *
 * @import { Item, Lesson, LoadAnswer, Random, Stream } from '../runner/lesson/index.js'
 * @import { ConcreteRequest, Kept, Load } from './load-file.js'
 *
 * @typedef {{ isOriginal: boolean, origin: string, kept: Kept }} Served the server that gets the requests
 */

/** One for both servers, whose answers it compares. @type {ReturnType<typeof createItems> | undefined} */
let items

/** @type {Stream} */
const stream = ({ random, data, model }) => {
  items ??= createItems(data)
  return items(random, model)
}

/** @type {Lesson} */
export default {
  id: 'comparison',
  title: 'Two servers',
  summary: '',
  contract: [],
  // For a server that hangs when it's profiled: started again, and prepared by nothing.
  model: () => ({ isOriginal: false, origin: '', kept: {} }),
  loads: {
    busy: { stream, connections: 16 },
    steady: { stream, connections: 16, sliceMs: 400 },
    memory: { stream, connections: 16, exactly: 200, batches: 5, warmUpAnswers: 500 }
  },
  gates: [],
  mechanism: { expected: '', load: '', cpuPerRequest: 'stays' }
}

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
  /** @type {Map<string, { answer: ReturnType<typeof asAnswer>, origin: string, seen: number }>} */
  const known = new Map()
  const onlyStatus = changesData(load)
  let bytes = 0
  /** @param {string} key @param {LoadAnswer} answer @param {string} origin of the server */
  const learn = (key, answer, origin) => {
    bytes += answer.body.length
    if (bytes < mostBytes) known.set(key, { answer: asAnswer(answer), origin, seen: 0 })
  }
  /** @param {ConcreteRequest} request @param {LoadAnswer} answer @param {string} origin of the server */
  const check = (request, answer, origin) => {
    const earlier = known.get(request.key)
    if (earlier === undefined) return undefined
    if (onlyStatus) {
      const { status } = earlier.answer
      // What is refused is cheaper than what is done.
      const isRefused = answer.status >= 400 && status < 400
      return isRefused ? `status ${answer.status}, where the original’s first answer had ${status}.` : undefined
    }
    if (earlier.seen++ > first && earlier.seen % everyNth !== 0) return undefined
    const origins = [earlier.origin, origin]
    const difference = compareAnswers(earlier.answer, answer, { ignore, asked: request.path, origins })
    if (difference === null) return undefined
    const { place, before, after } = difference
    return `differs from the original’s first answer in ${place}: ${before} there, ${after} here.`
  }
  return (random, { isOriginal, origin, kept }) => {
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
          if (isOriginal && !known.has(key)) learn(key, answer, origin)
          return check(request, answer, origin)
        },
        ...keep && { answered: (answer) => remember(kept, answer, keep) }
      }
    }
  }
}

/** @param {Kept} kept @param {LoadAnswer} answer @param {Record<string, string>} keep */
function remember (kept, answer, keep) {
  try {
    if (answer.status < 400) Object.assign(kept, keepFrom(answer, keep))
  } catch (error) {
    // The comparison before the load has said so already.
    if (!(error instanceof WorkshopError)) throw error
  }
}
