import fs from 'node:fs'

/**
 * @typedef {object} CpuSnapshot CPU time of the whole machine since it started, all cores, in ms; null where unknown
 * @property {number} busyMs spent on programs and the kernel
 * @property {number} stolenMs wanted, and given to other virtual machines
 * @property {number} atMs
 */

/** One clock tick of /proc/stat: USER_HZ is 100 on every Linux that Node.js runs on. */
const tickMs = 10

/** @returns {CpuSnapshot | null} */
export function cpuSnapshot () {
  try {
    const [, user, nice, system, , , irq, softirq, steal] = fs
      .readFileSync('/proc/stat', 'latin1')
      .split('\n', 1)[0]
      .trim()
      .split(/\s+/)
      .map(Number)
    return {
      busyMs: (user + nice + system + irq + softirq) * tickMs,
      stolenMs: steal * tickMs,
      atMs: performance.now()
    }
  } catch {
    return null
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
