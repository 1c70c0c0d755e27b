import { PortTaken } from '../shared/errors.js'
import { signalOurs } from '../process/index.js'
import { ContractError, send, timeFor } from './client.js'

/**
 * @import { ContractResult } from '../judge/index.js'
 * @import { Server, StartOptions, Started, Upstream } from '../process/index.js'
 * @import { Random } from '../shared/random.js'
 * @import { Answer, Request } from './client.js'
 *
 * @typedef {object} Check
 * @property {string} name a sentence about the server: `answers 401 to a wrong password`
 * @property {('before' | 'during' | 'after')[]} [when] default `['before', 'after']`;
 *   `during` runs again and again while the load runs
 * @property {boolean} [apart] it starts servers with `another` and leaves the one under test alone, so it can run while
 *   the other checks do
 * @property {(given: Given) => Promise<void>} run throws when the server is wrong
 *
 * @typedef {{ check: string, why: string }} KnownFailure of the slow server; check: its name
 *
 * @typedef {(options?: Pick<StartOptions, 'files'>) => Promise<Started>} StartAnother
 */

/**
 * Runs a lesson's checks against one server, one after the other but for those that are apart, and says what each
 * found.
 *
 * @param {object} options
 * @param {Check[]} options.checks those of the lesson that belong to `when`
 * @param {'before' | 'during' | 'after'} options.when
 * @param {Server} options.server the server under test
 * @param {StartAnother} [options.startAnother] one more server of the same kind
 * @param {Random} options.random
 * @param {any} options.data
 * @param {(result: ContractResult, done: number, total: number) => void} [options.onResult]
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<ContractResult[]>}
 */
export async function runContract (options) {
  const { checks, when, server, startAnother = cannotStart, random, data, onResult, signal } = options
  /** @type {Map<Check, ContractResult>} */
  const results = new Map()
  const runHere = async (/** @type {Check} */ check) => {
    signal?.throwIfAborted()
    const others = createOthers(startAnother)
    /** @type {Given} */
    const given = withUpstream({
      ...clientOf(server),
      random: random.fork(`${when}/${check.name}`),
      data,
      isBaseline: server.role === 'baseline',
      cpuMs: async () => (await server.use())?.cpuMs ?? NaN,
      another: others.another,
      fail: (message) => { throw new ContractError(message) }
    }, server.upstream)
    const message = await runOne(check, given, server)
      .catch((error) => {
        signal?.throwIfAborted()
        throw error
      })
      .finally(others.stopAll)
    signal?.throwIfAborted()
    /** @type {ContractResult} */
    const result = { name: check.name, when, status: message === '' ? 'pass' : 'fail', message }
    results.set(check, result)
    onResult?.(result, results.size, checks.length)
  }
  const inTurn = async () => {
    for (const check of checks.filter(({ apart }) => !apart)) {
      await runHere(check)
      // A server that has ended fails every further check for the same reason.
      if (server.hasExited()) break
    }
  }
  // All are waited for, so that none goes on behind what is thrown.
  const done = await Promise.allSettled([inTurn(), ...checks.filter(({ apart }) => apart).map(runHere)])
  for (const one of done) if (one.status === 'rejected') throw one.reason
  return checks.flatMap((check) => results.get(check) ?? [])
}

/** @param {Check} check @param {Given} given @param {Server} server */
async function runOne (check, given, server) {
  try {
    await check.run(given)
    return ''
  } catch (error) {
    if (error instanceof PortTaken) throw error
    if (server.hasExited()) return `the server ${server.howItEnded()}`
    if (error instanceof ContractError) return error.message
    // The same check passes on the slow server, so it was this answer that it could not read.
    return `an answer doesn’t have the shape that it should have (${error.message}${lineOf(error)})`
  }
}

/** Where a check of the lesson failed: `, contract.js:12`. @param {Error} error */
function lineOf ({ stack = '' }) {
  const [, line] = /[\\/]lessons[\\/].*?([^\\/]+\.js:\d+)/.exec(stack) ?? []
  return line === undefined ? '' : `, ${line}`
}

/** @returns {Promise<never>} */
async function cannotStart () {
  throw new Error('no further server can be started here')
}

/** Servers that a check starts for itself, and their end. @param {StartAnother} start */
function createOthers (start) {
  /** @type {Server[]} */
  const servers = []
  return {
    /** @type {Given['another']} */
    another: async (options) => {
      const { server, failure } = await start(options)
      if (failure !== null) throw new ContractError(`started again, it failed: ${failure}`)
      servers.push(server)
      /** @type {Another} */
      const other = withUpstream({
        ...clientOf(server),
        children: server.children,
        end: (pid, signal = 'SIGKILL') => { signalOurs(server.proof, signal, (one) => one.pid === pid) },
        stop: server.stop,
        canAsk: process.platform !== 'win32'
      }, server.upstream)
      return other
    },
    stopAll: () => Promise.all(servers.map((server) => server.stop()))
  }
}

/** @param {Server} server @returns {Pick<Given, 'send' | 'get' | 'post' | 'dataDir'>} */
function clientOf (server) {
  /** @param {Request} request */
  const ask = (request) => {
    const answer = send(server.origin, request, timeFor(server))
    // A check that waits for another answer first hears of this one later.
    answer.catch(() => {})
    return answer
  }
  return {
    send: ask,
    get: (path, options) => ask({ ...options, path }),
    post: (path, options) => ask({ ...options, path, method: 'POST' }),
    dataDir: server.dataDir
  }
}

/**
 * Tools that a check is handed.
 *
 * @typedef {object} Given
 * @property {(path: string, options?: Pick<Request, 'headers' | 'meanwhile' | 'agent'>) => Promise<Answer>} get
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
 * @typedef {Pick<Given, 'get' | 'post' | 'send' | 'dataDir' | 'upstream'> & AnotherOnly} Another
 *
 * @typedef {object} AnotherOnly
 * @property {() => Promise<number[] | null>} children the processes that it has started; null where the system does not
 *   tell
 * @property {(pid: number, signal?: NodeJS.Signals) => void} end sends one of them a signal, by default SIGKILL
 * @property {(options?: { graceMs?: number }) => Promise<{ forced: boolean, orphans: number }>} stop asks it to stop
 *   (SIGTERM) and waits; forced: it did not and was killed; orphans: processes that it left behind
 * @property {boolean} canAsk false where there is no portable way to ask (Windows): it is ended at once there
 */

/**
 * The same object with what its server talks to. Without an upstream, reading it throws; copying the object,
 * as in `{ ...given }`, reads nothing.
 *
 * @template {{ upstream: Upstream }} T
 * @param {Omit<T, 'upstream'>} given
 * @param {Upstream | null} upstream
 * @returns {T}
 */
function withUpstream (given, upstream) {
  const missing = { get: () => { throw new Error('this lesson has no upstream') } }
  const property = upstream ? { value: upstream, enumerable: true } : missing
  return /** @type {any} */ (Object.defineProperty(given, 'upstream', property))
}
