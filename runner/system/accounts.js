import { entryOf } from './process-table.js'
import { listNames as names, readText as read } from './proc.js'

const linux = process.platform === 'linux'

/**
 * CPU time that these processes have used so far, and time that they have waited for a core, all threads, in ms; null
 * where the system does not tell. From the scheduler's own account (ns), not from clock ticks (10 ms).
 *
 * @param {readonly number[]} list
 * @returns {{ cpuMs: number, waitMs: number } | null}
 */
export function cpuTime (list) {
  if (!linux) return null
  let [cpu, wait] = [0, 0]
  for (const pid of list) {
    for (const task of names(`/proc/${pid}/task`)) {
      const [ran, waited] = read(`/proc/${pid}/task/${task}/schedstat`)?.split(' ') ?? []
      cpu += Number(ran ?? 0)
      wait += Number(waited ?? 0)
    }
  }
  return { cpuMs: cpu / 1e6, waitMs: wait / 1e6 }
}

/**
 * Memory of these processes that is in RAM now, in bytes; null where the system does not tell. Pages that they share
 * count for each.
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
 * Has a signal stopped this process (SIGSTOP), so that it does nothing until another one lets it go on?
 *
 * @param {number} pid
 */
export function isStopped (pid) {
  return linux && /^[Tt]/.test(entryOf(pid)?.state ?? '')
}

/**
 * How the system shares out its cores to a process: nice value, policy, and the cores that its main thread may run on.
 * Linux only; null elsewhere, and for a process that is gone.
 *
 * @param {number} pid
 * @returns {string | null}
 */
export function scheduling (pid) {
  const stat = linux ? read(`/proc/${pid}/stat`) : null
  if (stat === null) return null
  // Fields 19 and 41 of proc(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return [fields[16], fields[38], /^Cpus_allowed:\s*(.+)$/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1]].join(' ')
}
