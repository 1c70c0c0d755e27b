import { tickMs } from './process-table.js'
import { readText } from './proc.js'

/**
 * @typedef {object} CpuSnapshot CPU time of the whole machine since it started, all cores, in ms; null where unknown
 * @property {number} busyMs spent on programs and the kernel
 * @property {number} stolenMs wanted, and given to other virtual machines
 * @property {number} atMs
 */

/** @returns {CpuSnapshot | null} */
export function cpuSnapshot () {
  const stat = readText('/proc/stat')
  if (stat === null) return null
  const [, user, nice, system, , , irq, softirq, steal] = stat.split('\n', 1)[0].trim().split(/\s+/).map(Number)
  return {
    busyMs: (user + nice + system + irq + softirq) * tickMs,
    stolenMs: steal * tickMs,
    atMs: performance.now()
  }
}

/**
 * @param {CpuSnapshot | null} before
 * @param {CpuSnapshot | null} after
 * @param {number} cores
 * @returns {{ busyMs: number, steal: number, wallMs: number } | null} steal: share of all CPU time, 0 to 1
 */
export function cpuBetween (before, after, cores) {
  if (!before || !after) return null
  const wallMs = Math.max(after.atMs - before.atMs, 1)
  return {
    busyMs: after.busyMs - before.busyMs,
    steal: Math.min(1, Math.max(0, (after.stolenMs - before.stolenMs) / (wallMs * cores))),
    wallMs
  }
}
