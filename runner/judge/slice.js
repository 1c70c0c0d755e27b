import { cpuBetween, cpuSnapshot } from '../machine/index.js'

/**
 * One slice: what the generator reports, and what the machine was doing meanwhile.
 *
 * @typedef {object} SliceExtra
 * @property {import('./disturbed.js').SliceConditions} conditions
 * @property {number | null} cpuPerRequestMs CPU time of the server's whole process tree for one answer; null where the
 *   system does not tell
 *
 * @typedef {import('../load/index.js').SliceReport & SliceExtra} Slice
 */

/**
 * @param {object} given
 * @param {import('../server/start.js').Server} given.server the one under load
 * @param {import('../server/start.js').Server} given.other the one that should be idle
 * @param {import('../load/index.js').Generator} given.generator
 * @param {import('../load/index.js').SliceOrder} given.order
 * @param {number} given.cores
 * @param {(running: () => boolean) => Promise<void>} given.during runs beside the load, until `running` says no
 * @returns {Promise<Slice>}
 */
export async function measureSlice ({ server, other, generator, order, cores, during }) {
  const before = await Promise.all([server.use(), other.use()])
  const ownBefore = process.cpuUsage()
  const machineBefore = cpuSnapshot()
  let running = true
  const [report] = await Promise.all([
    generator.slice(order).finally(() => { running = false }),
    during(() => running)
  ])
  const machine = cpuBetween(machineBefore, cpuSnapshot(), cores)
  const own = process.cpuUsage(ownBefore)
  const after = await Promise.all([server.use(), other.use()])
  const [serving, resting] = after.map((use, i) => usedBetween(before[i], use))
  const [served, idle] = [serving?.cpuMs ?? null, resting?.cpuMs ?? null]
  const ours = (own.user + own.system) / 1000 + report.cpuMs + (served ?? 0) + (idle ?? 0)
  return {
    ...report,
    conditions: {
      steal: machine?.steal ?? null,
      foreign: machine && served !== null ? Math.max(0, machine.busyMs - ours) / machine.wallMs : null,
      busy: machine ? machine.busyMs / machine.wallMs / cores : null,
      waiting: serving && serving.cpuMs > 0 ? serving.waitMs / (serving.cpuMs + serving.waitMs) : null,
      idleServer: machine && idle !== null ? idle / machine.wallMs : null
    },
    cpuPerRequestMs: served !== null && report.answers > 0 ? served / report.answers : null
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
