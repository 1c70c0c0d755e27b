import { patienceToWait, signalOurs } from '../process/index.js'
import { PortTaken, TooBusy } from '../shared/errors.js'
import { ContractError, LateError } from './answer.js'
import { send, timeFor, untilAborted } from './client.js'

/**
 * @import { ContractResult } from '../judge/index.js'
 * @import { Attempt, Server, StartOptions, Started, Upstream } from '../process/index.js'
 * @import { Random } from '../shared/random.js'
 * @import { Answer } from './answer.js'
 * @import { Request } from './client.js'
 *
 * @typedef {object} Check
 * @property {string} name a sentence about the server: `answers 401 to a wrong password`
 * @property {('before' | 'during' | 'after')[]} [when] default `['before', 'after']`;
 *   `during` runs again and again while the load runs
 * @property {boolean} [apart] it starts servers with `another` and leaves the one under test alone, so it can run while
 *   the other checks do
 * @property {boolean} [timed] a machine that's too busy can make it fail: so it's settled as a late answer is
 * @property {(given: Given) => Promise<void>} run throws when the server is wrong
 *
 * @typedef {{ check: string, why: string }} KnownFailure of the slow server; check: its name
 *
 * @typedef {(options?: Pick<StartOptions, 'files'>) => Promise<Started>} StartAnother
 */

/**
 * Runs a lesson's checks against one server, one after the other but for those that are apart, and says what each
 * found. What came too late is settled when nothing else of these is going on.
 *
 * @param {TryOptions & { checks: Check[], onResult?: (result: ContractResult, done: number, total: number) => void,
 *   settle?: (check: Check) => Promise<Attempt>, onLull?: () => void }} options checks: those of the lesson that belong
 *   to `when`; settle: without it, what came too late has failed; onLull: called when one of those has ended that go on
 *   at the same time
 * @returns {Promise<ContractResult[]>}
 * @throws {TooBusy} it can't be told whether one is broken, and no other is
 */
export async function runContract (options) {
  const { checks, when, server, onResult, settle, onLull, signal } = options
  /** @type {Map<Check, ContractResult>} */
  const results = new Map()
  /** @type {unknown} */
  let unclear = null
  const note = (/** @type {Check} */ check, /** @type {Attempt} */ { message }) => {
    /** @type {ContractResult} */
    const result = { name: check.name, when, status: message === '' ? 'pass' : 'fail', message }
    results.set(check, result)
    onResult?.(result, results.size, checks.length)
  }
  /** @type {Check[]} */
  const late = []
  const runHere = async (/** @type {Check} */ check) => {
    const attempt = await tryCheck(check, options)
    if (attempt.isLate && settle) late.push(check)
    else note(check, attempt)
    return attempt
  }
  const left = checks.filter(({ apart }) => !apart)
  const inTurn = async () => {
    while (left.length > 0) {
      const { isLate } = await runHere(/** @type {Check} */ (left.shift()))
      // A server that has ended fails every further check for the same reason, and one that hangs may do so.
      if (isLate || server.hasExited()) break
    }
  }
  const settleAll = async () => {
    // The timed ones last: they say little about whether a server hangs.
    const inOrder = late.splice(0).sort((one, other) => Number(one.timed ?? false) - Number(other.timed ?? false))
    for (const check of inOrder) {
      if (!settle) break
      const attempt = await settle(check).catch((error) => {
        if (!(error instanceof TooBusy)) throw error
        unclear = error
        return null
      })
      if (attempt) note(check, attempt)
      // Whatever else was late is late for the same reason.
      if (attempt === null || (attempt.isLate && !check.timed)) return true
    }
    return false
  }
  for (let apart = checks.filter(({ apart }) => apart); ; apart = []) {
    // All are waited for, so that none goes on behind what is thrown.
    const strands = [inTurn(), ...apart.map(runHere)].map((strand) => strand.finally(onLull))
    const done = await Promise.allSettled(strands)
    for (const one of done) if (one.status === 'rejected') throw one.reason
    if (await settleAll() || left.length === 0 || server.hasExited()) break
  }
  signal?.throwIfAborted()
  const found = checks.flatMap((check) => results.get(check) ?? [])
  if (unclear !== null && found.every(({ status }) => status === 'pass')) throw unclear
  return found
}

/**
 * @typedef {object} TryOptions
 * @property {'before' | 'during' | 'after'} when
 * @property {Server} server the server under test
 * @property {StartAnother} [startAnother] one more server of the same kind
 * @property {Random} random
 * @property {any} data
 * @property {number} [factor] so many times as patient as usual
 * @property {number} [waits] the same for what the check itself waits for: its text says how long that may take
 * @property {AbortSignal} [signal]
 */

/**
 * One check of one server.
 *
 * @param {Check} check
 * @param {TryOptions} options
 * @returns {Promise<Attempt>} message: empty where nothing is wrong
 */
export async function tryCheck (check, options) {
  const { when, server, startAnother = cannotStart, random, data, factor = 1, waits = 1, signal } = options
  signal?.throwIfAborted()
  const times = { factor, waits, signal, tookMs: 0 }
  const others = createOthers(startAnother, times)
  /** @type {Given} */
  const given = withUpstream({
    ...clientOf(server, times),
    // Another attempt draws other numbers, as another check would: what the first one has written is still there.
    random: random.fork(`${when}/${check.name}${factor === 1 ? '' : ' again'}`),
    data,
    isBaseline: server.role === 'baseline',
    cpuMs: async () => (await server.use())?.cpuMs ?? NaN,
    another: others.another,
    fail: (message) => { throw new ContractError(message) },
    late: (message) => { throw new LateError(message) }
  }, server.upstream)
  const attempt = await runOne(check, given, { server, signal })
    .catch((error) => {
      signal?.throwIfAborted()
      throw error
    })
    .finally(others.stopAll)
  signal?.throwIfAborted()
  return { ...attempt, tookMs: times.tookMs }
}

/**
 * @param {Check} check @param {Given} given @param {{ server: Server, signal?: AbortSignal }} on
 * @returns {Promise<Attempt>}
 */
async function runOne (check, given, { server, signal }) {
  try {
    await untilAborted(check.run(given), signal)
    return { message: '', isLate: false }
  } catch (error) {
    if (error instanceof PortTaken || error instanceof TooBusy) throw error
    if (server.hasExited()) return { message: `the server ${server.howItEnded()}`, isLate: false }
    const isLate = error instanceof LateError || check.timed === true
    if (error instanceof ContractError) return { message: error.message, isLate }
    // The same check passes on the slow server, so it was this answer that it could not read.
    const message = `an answer doesn’t have the shape that it should have (${error.message}${lineOf(error)})`
    return { message, isLate: false }
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

/**
 * @typedef {{ factor: number, waits: number, signal?: AbortSignal, tookMs: number }} Times tookMs: the longest
 *   answer so far
 */

/** How long a server may take to end by itself, ms, where a check doesn't say. */
const usualGraceMs = 400

/** Servers that a check starts for itself, and their end. @param {StartAnother} start @param {Times} times */
function createOthers (start, times) {
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
        ...clientOf(server, times),
        children: server.children,
        end: (pid, signal = 'SIGKILL') => { signalOurs(server.proof, signal, (one) => one.pid === pid) },
        stop: async ({ graceMs = usualGraceMs } = {}) => server.stop({ graceMs: await other.within(graceMs) }),
        canAsk: process.platform !== 'win32'
      }, server.upstream)
      return other
    },
    stopAll: () => Promise.all(servers.map((server) => server.stop()))
  }
}

/**
 * @param {Server} server @param {Times} times
 * @returns {Pick<Given, 'send' | 'get' | 'post' | 'origin' | 'dataDir' | 'within'>}
 */
function clientOf (server, times) {
  /** @param {Request} request */
  const ask = (request) => {
    const answer = send(server.origin, request, timeFor(server, times))
    // A check that waits for another answer first hears of this one later.
    answer.then(({ elapsedMs }) => { times.tookMs = Math.max(times.tookMs, elapsedMs) }, () => {})
    return answer
  }
  return {
    send: ask,
    get: (path, options) => ask({ ...options, path }),
    post: (path, options) => ask({ ...options, path, method: 'POST' }),
    origin: server.origin,
    dataDir: server.dataDir,
    within: async (ms) => times.waits * await patienceToWait(server) * ms
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
 * @property {string} origin of the server under test: `http://127.0.0.1:PORT`
 * @property {string} dataDir the DATA_DIR of the server under test
 * @property {boolean} isBaseline
 * @property {() => Promise<number>} cpuMs CPU time that the server under test has used so far, on all cores; NaN where
 *   the system does not tell
 * @property {(options?: Pick<StartOptions, 'files'>) => Promise<Another>} another starts one more server of the same
 *   kind, for this check alone: to be killed, stopped or starved; it is stopped when the check ends. files: in its
 *   DATA_DIR, in addition to the lesson's or instead of them
 * @property {Upstream} upstream what this server talks to; throws if the lesson has no upstream
 * @property {(ms: number) => Promise<number>} within what takes so many ms at most on a quiet machine: how long to wait
 *   for it now, ms
 * @property {(message: string) => never} fail
 * @property {(message: string) => never} late as `fail`, where it was time that ran out: then it's settled by another
 *   attempt and by the slow server
 *
 * @typedef {Pick<Given, 'get' | 'post' | 'send' | 'origin' | 'dataDir' | 'within' | 'upstream'> & AnotherOnly} Another
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
