import { entryOf, fieldsOf, tickMs } from './process-table.js'
import { listNames as names, readText as read } from './proc.js'

const linux = process.platform === 'linux'

/**
 * CPU time that these processes and their reaped children have used so far, and time they have waited for a core, in
 * ms; null where the system does not tell.
 *
 * The scheduler's account of a thread is exact (ns) and ends with the thread. The process's account includes threads
 * that have ended, in clock ticks. Neither is ever too high, so the higher one counts.
 *
 * @param {readonly number[]} list
 * @returns {{ cpuMs: number, waitMs: number } | null}
 */
export function cpuTime (list) {
  if (!linux) return null
  let [cpuMs, waitMs] = [0, 0]
  for (const pid of list) {
    let livingMs = 0
    for (const task of names(`/proc/${pid}/task`)) {
      const [ran, waited] = read(`/proc/${pid}/task/${task}/schedstat`)?.split(' ') ?? []
      livingMs += Number(ran ?? 0) / 1e6
      waitMs += Number(waited ?? 0) / 1e6
    }
    const { ownMs, reapedMs } = ticksOf(pid)
    cpuMs += Math.max(livingMs, ownMs) + reapedMs
  }
  return { cpuMs, waitMs }
}

/** Fields 14 to 17 of proc(5): utime, stime, cutime, cstime. @param {number} pid */
function ticksOf (pid) {
  const stat = read(`/proc/${pid}/stat`)
  const fields = stat === null ? [0, 0, 0, 0] : fieldsOf(stat).slice(11, 15).map(Number)
  const [user, system, reapedUser, reapedSystem] = fields
  return { ownMs: (user + system) * tickMs, reapedMs: (reapedUser + reapedSystem) * tickMs }
}

/**
 * Resident memory of these processes, in bytes; null where the system does not tell. Shared pages count for each.
 *
 * @param {readonly number[]} list
 */
export function residentBytes (list) {
  if (!linux) return null
  let bytes = 0
  for (const pid of list) {
    bytes += Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? 0) * 1024
  }
  return bytes
}

/**
 * Has a signal stopped this process (SIGSTOP)?
 *
 * @param {number} pid
 */
export function isStopped (pid) {
  return linux && /^[Tt]/.test(entryOf(pid)?.state ?? '')
}

/**
 * How the threads of a process are scheduled: nice value, policy and allowed cores. Linux only; null elsewhere, and for
 * a process that is gone.
 *
 * @param {number} pid
 * @returns {string[] | null} each setting once
 */
export function scheduling (pid) {
  const ways = names(`/proc/${pid}/task`).flatMap((task) => {
    const stat = read(`/proc/${pid}/task/${task}/stat`)
    const cores = /^Cpus_allowed:\s*(.+)$/m.exec(read(`/proc/${pid}/task/${task}/status`) ?? '')?.[1]
    if (stat === null || cores === undefined) return []
    const fields = fieldsOf(stat)
    // Fields 19 and 41 of proc(5).
    return [`${fields[16]} ${fields[38]} ${cores}`]
  })
  return ways.length > 0 ? [...new Set(ways)] : null
}
