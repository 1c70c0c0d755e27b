import { ContractError } from './answer.js'
import { send } from './client.js'
import { withUpstream } from './with-upstream.js'

/**
 * What a check is handed.
 *
 * @import { Random } from '../random.js'
 * @import { Upstream } from '../session/index.js'
 * @import { Answer } from './answer.js'
 * @import { Request } from './client.js'
 *
 * @typedef {object} Given
 * @property {(path: string, options?: Pick<Request, 'headers' | 'meanwhile' | 'agent'>) =>
 *   Promise<Answer>} get
 * @property {(path: string, options?: Omit<Request, 'path' | 'method'>) => Promise<Answer>} post
 * @property {(request: Request) => Promise<Answer>} send
 * @property {Random} random the same numbers for every server of this run
 * @property {any} data what the lesson's data says
 * @property {string} dataDir the DATA_DIR of the server under test
 * @property {boolean} isBaseline
 * @property {() => Promise<number>} cpuMs CPU time that the server under test has used so far, on all cores; NaN where
 *   the system does not tell
 * @property {(options?: { files?: Record<string, string> }) => Promise<Another>} another starts one more server of the
 *   same kind, for this check alone: to be killed, stopped or starved; it is stopped when the check ends. files: in its
 *   DATA_DIR, in addition to the lesson's or instead of them
 * @property {Upstream} upstream what this server talks to; throws if the lesson has no upstream
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
 * @property {(options?: { graceMs?: number }) => Promise<{ forced: boolean, orphans: number }>} stop asks it to stop
 *   (SIGTERM) and waits; forced: it did not and was killed; orphans: processes that it left behind
 * @property {boolean} canAsk false where there is no portable way to ask (Windows): it is ended at once there
 */

/**
 * @param {object} options
 * @param {string} options.origin of the server under test
 * @param {{ timeoutMs: number }} options.time that an answer may take
 * @param {Random} options.random
 * @param {any} options.data
 * @param {string} options.dataDir
 * @param {boolean} options.isBaseline
 * @param {Given['cpuMs']} options.cpuMs
 * @param {Given['another']} options.another
 * @param {Upstream | null} options.upstream
 * @returns {Given}
 */
export function createGiven ({ origin, time, random, data, dataDir, isBaseline, cpuMs, another, upstream }) {
  /** @param {Request} request */
  const ask = (request) => {
    const answer = send(origin, request, time)
    // A check that waits for another answer first hears of this one later.
    answer.catch(() => {})
    return answer
  }
  return withUpstream({
    send: ask,
    get: (path, options) => ask({ ...options, path }),
    post: (path, options) => ask({ ...options, path, method: 'POST' }),
    random,
    data,
    dataDir,
    isBaseline,
    cpuMs,
    another,
    fail: (message) => { throw new ContractError(message) }
  }, upstream)
}
