import { readMemory } from '../inside/index.js'
import { growthOf, mergeHistograms } from '../judge/index.js'
import {
  begunTo, cpuBetween, cpuSnapshot, hasStrangers, isStopped, scheduling, secondPatience, settleLate
} from '../process/index.js'
import { TooBusy } from '../shared/errors.js'

/**
 * One slice: a server under load, what the machine did meanwhile, and what else was done to it.
 *
 * @import { Evidence, Slice, SliceConditions, SliceReport } from '../judge/index.js'
 * @import { Generator, SliceOrder } from '../load/index.js'
 * @import { Attempt, Server } from '../process/index.js'
 *
 * @typedef {object} SliceOptions
 * @property {Server} server the one under load
 * @property {Server} other the one that should be idle
 * @property {Generator} generator
 * @property {SliceOrder} order
 * @property {number} cores
 * @property {number} [batches] repeat the order so many times, and read the memory after each
 * @property {typeof memoryOf} [read] the memory
 * @property {(running: () => boolean) => Promise<Partial<Evidence>>} during runs during the load, until `running` says
 *   no
 *
 * @typedef {Pick<Awaited<ReturnType<typeof measureBatch>>,
 *   'machine' | 'serving' | 'resting' | 'stopped' | 'connectedToBaseline' | 'interfered' | 'ownMs'>} Account
 */

/**
 * What the generator reports, and what the machine and the server were doing meanwhile.
 *
 * @param {SliceOptions} options
 * @returns {Promise<{ slice: Slice, found: Partial<Evidence>[] }>}
 */
export async function measureSlice (options) {
  const { server, other, generator, order, cores, batches, during, read = memoryOf } = options
  /** @type {Awaited<ReturnType<typeof measureBatch>>[]} */
  const parts = []
  /** @type {Awaited<ReturnType<typeof memoryOf>>[]} */
  const memory = []
  const callsBefore = await server.upstream?.count() ?? null
  let running = true
  const load = async () => {
    for (let batch = 0; batch < (batches ?? 1); batch++) {
      const part = await measureBatch(options)
      parts.push(part)
      // A server that has just failed has no memory worth reading.
      if (part.report.lost.length > 0 || part.report.wrong > 0 || server.hasExited()) break
      if (batches !== undefined) memory.push(await read(server, other))
    }
  }
  const [said] = await Promise.all([during(() => running), load().finally(() => { running = false })])
  if (order.lasting) await generator.hangUp()
  const callsAfter = await server.upstream?.count() ?? null
  const report = mergeReports(parts.map((part) => part.report))
  const served = sum(parts.map(({ serving }) => serving), ['cpuMs'])
  const slice = {
    ...report,
    conditions: conditionsOf(parts, cores),
    cpuPerRequestMs: served !== null && report.answers > 0 ? served.cpuMs / report.answers : null,
    retained: growthOf(memory.map(({ retained }) => retained), order.exactly),
    held: memory[0]?.retained ?? null,
    footprint: growthOf(memory.map(({ footprint }) => footprint), order.exactly),
    upstreamCalls: callsBefore !== null && callsAfter !== null ? callsAfter - callsBefore : null
  }
  return { slice, found: [said, ...memory.map(({ found }) => found), findingsOf(server, slice)] }
}

/**
 * What a slice shows besides its figures: wrong answers, servers that end, interference.
 *
 * @param {Pick<Server, 'role' | 'hasExited' | 'howItEnded'>} server
 * @param {Pick<Slice, 'lost' | 'problems'> & { conditions?: Slice['conditions'] }} slice
 * @returns {Partial<Evidence>}
 */
export function findingsOf (server, { lost, problems, conditions }) {
  const sentences = [...lost, ...problems].map(({ message }) => message)
  const interfered = conditions?.interfered ? [conditions.interfered] : []
  const end = server.hasExited() ? server.howItEnded() : null
  if (server.role === 'yours') {
    const crash = end === null ? {} : { crash: `Your server ${end} under load.` }
    return { problems: sentences, interfered, ...crash }
  }
  const interference = 'While the slow server was being measured, your server was connected to it: ' +
    'leave the slow server alone.'
  return {
    baselineProblems: sentences,
    interfered,
    baselineFailures: end === null ? [] : [`it ${end}`],
    ...conditions?.connectedToBaseline && { interference }
  }
}

/** How long an answer under load may take where nothing else is being done, ms. */
const answerMs = 10_000

/** @param {Pick<Server, 'patience'>} server @returns {Pick<SliceOrder, 'answerTimeoutMs'>} */
export function loadTimeFor ({ patience = 1 }) {
  return { answerTimeoutMs: answerMs * patience }
}

/**
 * A load without an answer in time, or with a gateway's timeout, is a fault if the same load, with more patience, has
 * one again, and the slow server is in time.
 *
 * @param {Pick<Slice, 'lost' | 'problems'>} slice
 * @param {{ server: Server, generator: Pick<Generator, 'slice' | 'forget'>, order: SliceOrder, useSlow: (use: (server:
 *   Server) => Promise<Attempt>) => Promise<Attempt> }} on
 * @returns {Promise<void>} it's a fault, or nothing was late
 * @throws {TooBusy} it can't be told
 */
export async function settleSilence (slice, { server, generator, order, useSlow }) {
  const late = silenceIn(slice)
  if (late === undefined) return
  const said = late.message.replace(/\.$/, '')
  if (server.role === 'baseline') throw new TooBusy(`the slow server was late: ${said}`)
  const tryLoad = async (/** @type {Server} */ one, factor = 1) => {
    const instance = `${one.role}#late`
    const timeoutMs = factor * Number(order.answerTimeoutMs ?? answerMs)
    const without = { kept: undefined, exactly: undefined }
    const ofOne = { ...order, ...without, instance, port: one.port, answerTimeoutMs: timeoutMs }
    const again = await generator.slice(ofOne).finally(() => generator.forget(instance))
    const message = silenceIn(again)?.message ?? ''
    return { isLate: message !== '', message }
  }
  const { isLate } = await settleLate({
    again: () => tryLoad(server, secondPatience),
    slow: () => useSlow((slow) => tryLoad(slow))
  })
  if (!isLate) throw new TooBusy(`${said}, but it was in time when it was asked once more`)
}

/** @param {Pick<Slice, 'lost' | 'problems'>} slice */
function silenceIn ({ lost, problems }) {
  return [...lost, ...problems].find(({ kind }) => kind === 'no answer')
}

/** @param {SliceOptions} options */
async function measureBatch ({ server, other, generator, order, cores }) {
  const before = await Promise.all([server.use(), other.use()])
  const ownBefore = process.cpuUsage()
  const machineBefore = cpuSnapshot()
  const interference = watchForInterference(server, other, generator)
  const report = await generator.slice(order).finally(interference.stop)
  interference.compare(report)
  const machine = cpuBetween(machineBefore, cpuSnapshot(), cores)
  const own = process.cpuUsage(ownBefore)
  const after = await Promise.all([server.use(), other.use()])
  const [serving, resting] = after.map((use, at) => {
    const earlier = before[at]
    // A thread that has ended takes its account with it.
    return use && earlier &&
      { cpuMs: Math.max(0, use.cpuMs - earlier.cpuMs), waitMs: Math.max(0, use.waitMs - earlier.waitMs) }
  })
  // The runner and the generator.
  const ownMs = (own.user + own.system) / 1000 + report.cpuMs
  return { report, machine, serving, resting, ...interference.seen, ownMs }
}

/**
 * What the machine was doing while a slice was measured, from the accounts of its parts. Pure.
 *
 * @param {readonly Account[]} parts
 * @param {number} cores
 * @returns {SliceConditions}
 */
export function conditionsOf (parts, cores) {
  const machine = sum(parts.map((part) => part.machine), ['busyMs', 'wallMs'])
  const serving = sum(parts.map((part) => part.serving), ['cpuMs', 'waitMs'])
  const resting = sum(parts.map((part) => part.resting), ['cpuMs'])
  const own = parts.reduce((total, { ownMs }) => total + ownMs, 0) + (serving?.cpuMs ?? 0) + (resting?.cpuMs ?? 0)
  const stolen = parts.reduce((total, part) => total + (part.machine?.steal ?? 0) * (part.machine?.wallMs ?? 0), 0)
  return {
    steal: machine ? stolen / machine.wallMs : null,
    foreign: machine && serving ? Math.max(0, machine.busyMs - own) / machine.wallMs : null,
    busy: machine ? machine.busyMs / machine.wallMs / cores : null,
    waiting: serving && serving.cpuMs > 0 ? serving.waitMs / (serving.cpuMs + serving.waitMs) : null,
    stopped: parts.some(({ stopped }) => stopped),
    connectedToBaseline: parts.some(({ connectedToBaseline }) => connectedToBaseline),
    interfered: parts.map(({ interfered }) => interfered).find((what) => what !== null) ?? null,
    idleServer: machine && resting ? resting.cpuMs / machine.wallMs : null
  }
}

/**
 * @template {string} K
 * @param {readonly (Record<K, number> | null)[]} accounts
 * @param {readonly K[]} keys
 * @returns {Record<K, number> | null} null where one of them is unknown
 */
function sum (accounts, keys) {
  const total = /** @type {Record<K, number>} */ (Object.fromEntries(keys.map((key) => [key, 0])))
  for (const account of accounts) {
    if (!account) return null
    for (const key of keys) total[key] += account[key]
  }
  return total
}

/**
 * Several reports of the generator as if they were one slice: the pauses between them do not count. Pure.
 *
 * @param {readonly SliceReport[]} reports at least one
 * @returns {SliceReport}
 */
export function mergeReports (reports) {
  if (reports.length === 1) return reports[0]
  const sum = (/** @type {'answers' | 'elapsedMs' | 'cpuMs' | 'wrong' | 'badStatus'} */ of) =>
    reports.reduce((total, report) => total + report[of], 0)
  const most = (/** @type {'lateMs' | 'probeLateMs'} */ of) => Math.max(...reports.map((report) => report[of]))
  const [answers, elapsedMs] = [sum('answers'), sum('elapsedMs')]
  return {
    answers,
    elapsedMs,
    rate: elapsedMs > 0 ? answers / elapsedMs * 1000 : 0,
    latencies: mergeHistograms(reports.map((report) => report.latencies)),
    // Both are about one uninterrupted run: of batches they mean nothing.
    degradation: null,
    littlesLaw: null,
    accepted: reports.flatMap((report) => report.accepted),
    refused: reports.flatMap((report) => report.refused),
    lateMs: most('lateMs'),
    busy: elapsedMs > 0 ? reports.reduce((total, { busy, elapsedMs }) => total + busy * elapsedMs, 0) / elapsedMs : 0,
    cpuMs: sum('cpuMs'),
    probes: reports.flatMap((report) => report.probes),
    probeLateMs: most('probeLateMs'),
    lost: reports.flatMap((report) => report.lost),
    wrong: sum('wrong'),
    badStatus: sum('badStatus'),
    problems: reports.flatMap((report) => report.problems)
  }
}

const lookEveryMs = 40
/**
 * Some checks take milliseconds on a machine with many connections: they come rarely, the first at a moment that no
 * program can foretell.
 */
const lookCloselyMs = 400

/**
 * Do all threads of them get cores as ours do? What a server does to itself is its own affair. What we cannot see is
 * taken for equal.
 *
 * @param {readonly number[]} pids
 */
function scheduledAsWe (pids) {
  const [ours] = scheduling(process.pid) ?? []
  return ours === undefined || pids.every((pid) => (scheduling(pid) ?? []).every((way) => way === ours))
}

/**
 * Checks now and then whether another program keeps the server under load from its work.
 *
 * @param {Server} server
 * @param {Server} other
 * @param {Generator} generator
 */
function watchForInterference (server, other, generator) {
  const seen = { stopped: false, connectedToBaseline: false, interfered: /** @type {string | null} */ (null) }
  const baseline = server.role === 'baseline' ? server : other
  const upstreamPort = baseline.upstream ? Number(new URL(baseline.upstream.url).port) : null
  const timer = setInterval(() => {
    seen.stopped ||= server.isStopped() || isStopped(generator.pid)
    seen.connectedToBaseline ||= other.isConnectedTo(server.port)
    // Some systems change the priority of whole kinds of programs: what they do to all of ours is no interference.
    if (!scheduledAsWe([baseline.pid, ...baseline.members(), generator.pid])) {
      seen.interfered ??= 'its priority, or the cores that it may run on, were changed.'
    }
  }, lookEveryMs)
  const lookClosely = () => {
    if (upstreamPort !== null && hasStrangers(upstreamPort, baseline.members())) {
      seen.interfered ??= 'another program called its upstream.'
    }
    closely = setTimeout(lookClosely, lookCloselyMs)
  }
  let closely = setTimeout(lookClosely, Math.random() * (lookCloselyMs / 2))
  return {
    seen,
    stop: () => {
      clearInterval(timer)
      clearTimeout(closely)
    },
    /** @param {SliceReport} report */
    compare: ({ begun }) => {
      const known = begun === undefined ? null : begun + begunTo(server.port)
      if (server !== baseline || !hasVisitors(server.accepted(), known)) return
      if (server.isApart) seen.connectedToBaseline = true
      else if (!seen.connectedToBaseline) seen.interfered ??= 'another program was connected to it.'
    }
  }
}

/**
 * Did a server accept more connections than we have begun? However short they are, it counts them, since its start.
 * Pure.
 *
 * @param {number | null} accepted null: it doesn't tell
 * @param {number | null} begun null: the generator doesn't
 */
export function hasVisitors (accepted, begun) {
  return accepted !== null && begun !== null && accepted > begun
}

/**
 * What a server holds after a forced collection, in bytes. One that tells it too late is asked again, as a late answer
 * is.
 *
 * @param {Server} server
 * @param {Server} [slow]
 * @returns {Promise<{ retained: number, footprint: number | null, found: Partial<Evidence> }>} footprint: null where
 *   the system does not tell; found: that the server doesn't tell
 * @throws {TooBusy} the slow server was late as well
 */
export async function memoryOf (server, slow = server) {
  const first = await readOnce(server)
  const { message, bytes } = first.isLate
    ? await settleLate({
      again: () => readOnce(server, secondPatience),
      slow: server.role === 'baseline' ? null : () => readOnce(slow)
    })
    : first
  if (message === '') return { retained: bytes, footprint: await server.footprint(), found: {} }
  const what = `its memory couldn’t be read (${message}): leave the inspector alone, which this lesson uses ` +
    'to look at the heap'
  // A server that has ended is told of as such.
  const yours = server.hasExited() ? {} : { problems: [`Your server ran, but ${what}.`] }
  return { retained: 0, footprint: null, found: server.role === 'yours' ? yours : { baselineFailures: [what] } }
}

/** How long the inspector may take for an answer, ms. */
const readMs = 10_000

/** @param {Server} server @param {number} [factor] so many times as patient as usual */
async function readOnce (server, factor = 1) {
  const url = server.inspector()
  try {
    if (url === null) throw new Error('it didn’t say where its inspector is')
    const { heapBytes, externalBytes } = await readMemory(url, { timeoutMs: factor * (server.patience ?? 1) * readMs })
    return { isLate: false, message: '', bytes: heapBytes + externalBytes }
  } catch ({ message }) {
    return { isLate: !server.hasExited() && /did not answer|timed out/.test(message), message, bytes: 0 }
  }
}
