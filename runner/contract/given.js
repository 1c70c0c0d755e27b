import { isDeepStrictEqual } from 'node:util'
import { ContractError } from './answer.js'
import { send } from './client.js'

/**
 * What a check is handed.
 *
 * @import { Random } from '../random.js'
 * @import { Upstream } from '../session/index.js'
 * @import { Answer } from './answer.js'
 * @import { Request } from './client.js'
 * @import { Mirror } from './mirror.js'
 *
 * @typedef {object} Given
 * @property {(path: string, options?: Pick<Request, 'headers' | 'meanwhile'>) => Promise<Answer>} get
 * @property {(path: string, options?: Omit<Request, 'path' | 'method'>) => Promise<Answer>} post
 * @property {(request: Request) => Promise<Answer>} send
 * @property {(request: Request, options?: SameOptions) => Promise<Answer>} same
 *   the differential oracle: the same request to the slow server and to this one has to get the same answer
 * @property {Random} random the same numbers for every server of this run
 * @property {any} data `known` of the lesson's data
 * @property {string} dataDir the DATA_DIR of the server under test
 * @property {boolean} isBaseline
 * @property {(options?: { files?: Record<string, string> }) => Promise<Another>} another starts one more server of the
 *   same kind, for this check alone: to be killed, stopped or starved; it is stopped when the check ends. files: in its
 *   DATA_DIR, beside those of the lesson or instead of them
 * @property {Upstream} upstream what this server talks to; throws where the lesson has none
 * @property {(message: string) => never} fail
 *
 * @typedef {object} Another
 * @property {Given['get']} get
 * @property {Given['post']} post
 * @property {Given['send']} send
 * @property {string} dataDir
 * @property {Upstream} upstream
 * @property {() => Promise<number[] | null>} children the processes that it has started; null where the system does not
 *   tell
 * @property {(pid: number, signal?: NodeJS.Signals) => void} end sends one of them a signal, by default SIGKILL
 * @property {() => Promise<{ forced: boolean }>} stop asks it to stop (SIGTERM) and waits; forced: it did not and was
 *   killed
 * @property {boolean} canAsk false where there is no portable way to ask (Windows): it is ended at once there
 *
 * @typedef {object} SameOptions
 * @property {string[]} [headers] names of further headers that have to agree
 * @property {(baseline: Answer, yours: Answer) => void} [compare] instead of
 *   comparing the bodies
 */

/**
 * @param {object} options
 * @param {string} options.origin of the server under test
 * @param {Mirror | null} options.mirror the slow server beside it; null when the slow server
 *   itself is checked, and after the load, when the two have seen different writes
 * @param {'before' | 'during' | 'after'} options.when
 * @param {Random} options.random
 * @param {any} options.data
 * @param {string} options.dataDir
 * @param {boolean} options.isBaseline
 * @param {Given['another']} options.another
 * @param {Upstream | null} options.upstream
 * @returns {Given}
 */
export function createGiven ({ origin, mirror, when, random, data, dataDir, isBaseline, another, upstream }) {
  /** @param {Request} request */
  const ask = (request) => {
    mirror?.write(request)
    const answer = send(origin, request)
    // A check that waits for another answer first hears of this one later.
    answer.catch(() => {})
    return answer
  }
  return {
    send: ask,
    get: (path, options) => ask({ ...options, path }),
    post: (path, options) => ask({ ...options, path, method: 'POST' }),
    same: async (request, options = {}) => {
      if (isBaseline) return ask(request)
      if (!mirror) {
        throw new Error(
          `same() compares fresh servers; this check runs ${when} the load, when both have seen different writes`
        )
      }
      const [expected, got] = await Promise.all([mirror.ask(request), send(origin, request)])
      compareAnswers(expected, got, options)
      return got
    },
    random,
    data,
    dataDir,
    isBaseline,
    another,
    get upstream () {
      if (!upstream) throw new Error('this lesson has no upstream')
      return upstream
    },
    fail: (message) => { throw new ContractError(message) }
  }
}

/**
 * @param {Answer} expected
 * @param {Answer} got
 * @param {SameOptions} options
 */
function compareAnswers (expected, got, { headers = [], compare }) {
  got.expectStatus(expected.status)
  for (const name of ['content-type', ...headers]) {
    const [theirs, ours] = [expected, got].map((answer) =>
      name === 'content-type' ? mediaType(answer.headers[name]) : answer.headers[name]
    )
    if (theirs !== ours) got.fail(`the slow server answers ${name}: ${theirs ?? 'nothing'}, yours ${ours ?? 'nothing'}`)
  }
  if (compare) return compare(expected, got)
  const equal = mediaType(expected.headers['content-type'])?.startsWith('application/json')
    ? isDeepStrictEqual(got.json(), expected.json())
    : got.body.equals(expected.body)
  if (!equal) got.fail(`the body is not the slow server’s: ${difference(expected.text, got.text)}`)
}

/**
 * Case and spaces of a media type do not matter, nor does the charset of JSON, which has only one.
 *
 * @param {string | undefined} value
 */
function mediaType (value) {
  return value?.toLowerCase().replaceAll(' ', '').replace(/^(application\/json);charset=utf-8$/, '$1')
}

/** @param {string} expected @param {string} got */
function difference (expected, got) {
  let at = 0
  while (at < expected.length && expected[at] === got[at]) at++
  const around = (/** @type {string} */ text) => text.slice(Math.max(0, at - 20), at + 40) || 'nothing'
  return `expected …${around(expected)}…, got …${around(got)}…`
}
