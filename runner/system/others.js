import { fieldsOf, processTable, tickMs, treeOf } from './process-table.js'
import { readText } from './proc.js'

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
    const one = useIn(readText(`/proc/${pid}/stat`) ?? '')
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
