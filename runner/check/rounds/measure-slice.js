import { growthOf } from '../../judge/index.js'
import { cpuBetween, cpuSnapshot } from '../../system/index.js'
import { watchForInterference } from './interference.js'
import { mergeReports } from './merge-reports.js'
import { conditionsOf } from './slice-conditions.js'

/**
 * @import { Slice } from '../../judge/index.js'
 * @import { Generator, SliceOrder } from '../../load/index.js'
 * @import { Server } from '../../session/index.js'
 * @import { Batch } from './slice-conditions.js'
 *
 * @typedef {object} SliceOptions
 * @property {Server} server the one under load
 * @property {Server} other the one that should be idle
 * @property {Generator} generator
 * @property {SliceOrder} order
 * @property {number} [batches] repeat the order so many times, and read the memory after each
 * @property {() => Promise<{ retained: number, footprint: number | null }>} [readMemory]
 * @property {number} cores
 * @property {(running: () => boolean) => Promise<void>} during runs during the load, until `running` says no
 */

/**
 * What the generator reports, and what the machine and the server were doing meanwhile.
 *
 * @param {SliceOptions} options
 * @returns {Promise<Slice>}
 */
export async function measureSlice (options) {
  const { server, order, batches = 1, readMemory, cores, during } = options
  /** @type {Batch[]} */
  const parts = []
  /** @type {{ retained: number, footprint: number | null }[]} */
  const memory = []
  const callsBefore = await server.upstream?.count() ?? null
  let running = true
  const load = async () => {
    for (let batch = 0; batch < batches; batch++) {
      const part = await measureBatch(options)
      parts.push(part)
      // A server that has just failed has no memory worth reading.
      if (part.report.lost.length > 0 || part.report.wrong > 0 || server.hasExited()) break
      if (readMemory) memory.push(await readMemory())
    }
  }
  await Promise.all([load().finally(() => { running = false }), during(() => running)])
  const callsAfter = await server.upstream?.count() ?? null
  const report = mergeReports(parts.map((part) => part.report))
  const served = parts.reduce(
    (/** @type {number | null} */ sum, { serving }) => (sum === null || !serving ? null : sum + serving.cpuMs),
    0
  )
  return {
    ...report,
    conditions: conditionsOf(parts, cores),
    cpuPerRequestMs: served !== null && report.answers > 0 ? served / report.answers : null,
    retained: growthOf(memory.map(({ retained }) => retained), order.exactly),
    held: memory[0]?.retained ?? null,
    footprint: growthOf(memory.map(({ footprint }) => footprint), order.exactly),
    upstreamCalls: callsBefore !== null && callsAfter !== null ? callsAfter - callsBefore : null
  }
}

/** @param {SliceOptions} options @returns {Promise<Batch>} */
async function measureBatch ({ server, other, generator, order, cores }) {
  const before = await Promise.all([server.use(), other.use()])
  const ownBefore = process.cpuUsage()
  const machineBefore = cpuSnapshot()
  const interference = watchForInterference(server, other, generator)
  const report = await generator.slice(order).finally(interference.stop)
  const machine = cpuBetween(machineBefore, cpuSnapshot(), cores)
  const own = process.cpuUsage(ownBefore)
  const after = await Promise.all([server.use(), other.use()])
  const [serving, resting] = after.map((use, i) => usedBetween(before[i], use))
  const ownMs = (own.user + own.system) / 1000 + report.cpuMs
  return { report, machine, serving, resting, ...interference.seen, ownMs }
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
