import fs from 'node:fs'
import {
  attempt, entryOf, fieldsOf, listNames as names, processTable, readLink as link, readText as read, tickMs, treeOf
} from './proc.js'

/**
 * @typedef {object} CpuSnapshot CPU time of the whole machine since it started, all cores, in ms; null where unknown
 * @property {number} busyMs spent on programs and the kernel
 * @property {number} stolenMs wanted, and given to other virtual machines
 * @property {number} atMs
 */

/** @returns {CpuSnapshot | null} */
export function cpuSnapshot () {
  const stat = read('/proc/stat')
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

const linux = process.platform === 'linux'

/**
 * CPU time that these processes and their reaped children have used so far, and time they have waited for a core, in
 * ms; null where the system does not tell.
 *
 * The scheduler's account of a thread is exact (ns) and ends with the thread. The process's account includes threads
 * that have ended, in clock ticks. Neither is ever too high, so the higher one counts.
 *
 * @param {readonly number[]} list @returns {{ cpuMs: number, waitMs: number } | null}
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
 * Bytes that these processes hold in files whose names are gone, and of file systems of their own in all files: what
 * is moved there from memory is there all the same. What the system doesn't tell counts as nothing.
 *
 * @param {readonly number[]} list
 * @param {readonly string[]} disks a folder of each
 */
export function fileBytes (list, disks) {
  /** By device, and inode. @type {Map<string, number>} */
  const held = new Map()
  for (const disk of disks) {
    const of = attempt(() => ({ ...fs.statfsSync(disk), dev: fs.statSync(disk).dev }), null)
    if (of) held.set(`${of.dev}`, (of.blocks - of.bfree) * of.bsize)
  }
  for (const pid of list) {
    for (const fd of names(`/proc/${pid}/fd`)) {
      const place = `/proc/${pid}/fd/${fd}`
      const of = link(place)?.endsWith(' (deleted)') ? attempt(() => fs.statSync(place), null) : null
      if (of?.isFile() && !held.has(`${of.dev}`)) held.set(`${of.dev}:${of.ino}`, of.blocks * 512)
    }
  }
  return [...held.values()].reduce((sum, bytes) => sum + bytes, 0)
}

/** Has a signal stopped this process (SIGSTOP)? @param {number} pid */
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

/**
 * CPU time of programs that are not ours, to name the one that disturbs. Linux only.
 *
 * @typedef {{ atMs: number, used: Map<string, { name: string, cpuMs: number }> }} Others used: by pid and start
 */

/** @returns {Others | null} null where the system doesn't tell */
export function cpuOfOthers () {
  if (process.platform !== 'linux') return null
  const table = processTable()
  const ours = new Set(treeOf(table, process.pid))
  const used = new Map(table.filter(({ pid }) => !ours.has(pid)).flatMap(({ pid, start }) => {
    const one = useIn(read(`/proc/${pid}/stat`) ?? '')
    return one === null ? [] : [[`${pid}/${start}`, one]]
  }))
  return { atMs: performance.now(), used }
}

/** @param {string} stat proc(5), fields 2, 14 and 15 @returns {{ name: string, cpuMs: number } | null} */
function useIn (stat) {
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
  const [user, system] = fieldsOf(stat).slice(11, 13).map(Number)
  return Number.isInteger(system) ? { name, cpuMs: (user + system) * tickMs } : null
}

/**
 * The program that used most CPU time between two moments. Pure.
 *
 * @param {Others | null} before
 * @param {Others | null} after
 * @returns {{ name: string, cores: number } | null} cores: how many it kept busy
 */
export function busiestBetween (before, after) {
  if (before === null || after === null) return null
  /** @type {Map<string, number>} */
  const byName = new Map()
  for (const [id, { name, cpuMs }] of after.used) {
    const grown = cpuMs - (before.used.get(id)?.cpuMs ?? 0)
    byName.set(name, (byName.get(name) ?? 0) + grown)
  }
  const [busiest] = [...byName].sort(([, a], [, b]) => b - a)
  return busiest ? { name: busiest[0], cores: busiest[1] / Math.max(1, after.atMs - before.atMs) } : null
}
