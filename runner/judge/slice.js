import { cpuBetween, cpuSnapshot } from '../machine/index.js'
import { hasStrangers, isStopped, scheduling } from '../server/processes.js'
import { mergeReports } from './merge-reports.js'
import { conditionsOf } from './slice-conditions.js'
import { growthOf } from './growth.js'

/**
 * One slice: what the generator reports, and what the machine and the server were doing meanwhile.
 *
 * @typedef {object} SliceExtra
 * @property {import('./disturbed.js').SliceConditions} conditions
 * @property {number | null} cpuPerRequestMs CPU time of the server's whole process tree for one answer; null where the
 *   system does not tell
 * @property {number | null} retained bytes of heap and buffers that one request leaves behind; null without batches
 * @property {number | null} footprint the same of the resident memory of the whole tree; null where unknown
 * @property {number | null} upstreamCalls calls that the server made; null where there is no upstream
 *
 * @typedef {import('../load/index.js').SliceReport & SliceExtra} Slice
 */

/**
 * @param {object} given
 * @param {import('../server/start.js').Server} given.server the one under load
 * @param {import('../server/start.js').Server} given.other the one that should be idle
 * @param {import('../load/index.js').Generator} given.generator
 * @param {import('../load/index.js').SliceOrder} given.order
 * @param {number} [given.batches] repeat the order so many times, and read the memory after each
 * @param {(server: import('../server/start.js').Server) => Promise<{ retained: number, footprint: number | null }>} [given.readMemory]
 * @param {number} given.cores
 * @param {(running: () => boolean) => Promise<void>} given.during runs beside the load, until `running` says no
 * @returns {Promise<Slice>}
 */
export async function measureSlice ({ server, other, generator, order, batches = 1, readMemory, cores, during }) {
  /** @type {Part[]} */
  const parts = []
  /** @type {{ retained: number, footprint: number | null }[]} */
  const memory = []
  const callsBefore = await server.upstream?.count() ?? null
  let running = true
  const load = async () => {
    for (let batch = 0; batch < batches; batch++) {
      const part = await measurePart({ server, other, generator, order, cores })
      parts.push(part)
      // A server that has just failed has no memory worth reading.
      if (part.report.lost.length > 0 || part.report.wrong > 0 || server.hasExited()) break
      if (readMemory) memory.push(await readMemory(server))
    }
  }
  await Promise.all([load().finally(() => { running = false }), during(() => running)])
  const callsAfter = await server.upstream?.count() ?? null
  const report = mergeReports(parts.map((part) => part.report))
  const served = parts.reduce((/** @type {number | null} */ sum, { serving }) => sum === null || !serving ? null : sum + serving.cpuMs, 0)
  return {
    ...report,
    conditions: conditionsOf(parts, cores),
    cpuPerRequestMs: served !== null && report.answers > 0 ? served / report.answers : null,
    retained: growthOf(memory.map(({ retained }) => retained), order.exactly),
    footprint: growthOf(memory.map(({ footprint }) => footprint), order.exactly),
    upstreamCalls: callsBefore !== null && callsAfter !== null ? callsAfter - callsBefore : null
  }
}

/**
 * What was seen while one order was carried out.
 *
 * @typedef {object} Part
 * @property {import('../load/index.js').SliceReport} report
 * @property {ReturnType<typeof cpuBetween>} machine
 * @property {{ cpuMs: number, waitMs: number } | null} serving CPU time of the server under load
 * @property {{ cpuMs: number, waitMs: number } | null} resting of the other one
 * @property {boolean} stopped the server under load was stopped by a signal at some moment
 * @property {boolean} visited the other one was connected to it
 * @property {string | null} meddled what else was done to the baseline meanwhile, a sentence
 * @property {number} ownMs CPU time of the runner and the generator
 */

/**
 * @param {Pick<Parameters<typeof measureSlice>[0], 'server' | 'other' | 'generator' | 'order' | 'cores'>} given
 * @returns {Promise<Part>}
 */
async function measurePart ({ server, other, generator, order, cores }) {
  const before = await Promise.all([server.use(), other.use()])
  const ownBefore = process.cpuUsage()
  const machineBefore = cpuSnapshot()
  const meddling = watchForMeddling(server, other, generator)
  const report = await generator.slice(order).finally(meddling.stop)
  const machine = cpuBetween(machineBefore, cpuSnapshot(), cores)
  const own = process.cpuUsage(ownBefore)
  const after = await Promise.all([server.use(), other.use()])
  const [serving, resting] = after.map((use, i) => usedBetween(before[i], use))
  return { report, machine, serving, resting, ...meddling.seen, ownMs: (own.user + own.system) / 1000 + report.cpuMs }
}

const lookEveryMs = 40
/** Some looks take milliseconds on a machine with many connections: they come rarely, the first at a moment that nobody can foretell. */
const lookCloselyMs = 400

/** Are cores shared out to both in the same way? What we cannot see is taken for equal. @param {number} one @param {number} another */
function scheduledAlike (one, another) {
  const [a, b] = [scheduling(one), scheduling(another)]
  return a === null || b === null || a === b
}

/**
 * Looks now and then whether somebody keeps the server under load from its work.
 *
 * @param {import('../server/start.js').Server} server
 * @param {import('../server/start.js').Server} other
 * @param {import('../load/index.js').Generator} generator
 */
function watchForMeddling (server, other, generator) {
  const seen = { stopped: false, visited: false, meddled: /** @type {string | null} */ (null) }
  const baseline = server.role === 'baseline' ? server : other
  const upstreamPort = baseline.upstream ? Number(new URL(baseline.upstream.url).port) : null
  const timer = setInterval(() => {
    seen.stopped ||= server.isStopped() || isStopped(generator.pid)
    seen.visited ||= other.isConnectedTo(server.port)
    // Some systems change the priority of whole kinds of programs: what they do to all of ours is no meddling.
    if (!scheduledAlike(server.pid, other.pid) || !scheduledAlike(generator.pid, process.pid)) seen.meddled ??= 'its priority, or the cores that it may run on, were changed.'
  }, lookEveryMs)
  const lookClosely = () => {
    // The look costs time: both servers pay for it, though it is about the baseline only.
    const visited = hasStrangers(server.port, [generator.pid, process.pid])
    if (server === baseline && visited && !seen.visited) seen.meddled ??= 'another program was connected to it while it was measured.'
    if (upstreamPort !== null && hasStrangers(upstreamPort, baseline.members())) seen.meddled ??= 'another program called its upstream.'
    closely = setTimeout(lookClosely, lookCloselyMs)
  }
  let closely = setTimeout(lookClosely, Math.random() * (lookCloselyMs / 2))
  return {
    seen,
    stop: () => {
      clearInterval(timer)
      clearTimeout(closely)
    }
  }
}

/**
 * @param {{ cpuMs: number, waitMs: number } | null} before
 * @param {{ cpuMs: number, waitMs: number } | null} after
 */
function usedBetween (before, after) {
  if (!before || !after) return null
  // A thread that has ended takes its account with it.
  return { cpuMs: Math.max(0, after.cpuMs - before.cpuMs), waitMs: Math.max(0, after.waitMs - before.waitMs) }
}
