import { execFileSync } from 'node:child_process'
import { listNames, readText } from './proc.js'

const linux = process.platform === 'linux'

/** A clock tick of /proc: USER_HZ is 100 on every Linux that Node.js runs on. */
export const tickMs = 10

/**
 * A process in the system's table at one moment. Pids are reused; with its start, one names one process for good.
 *
 * @typedef {object} Identity
 * @property {number} pid
 * @property {number} start on the system's own scale: clock ticks since boot on Linux, ms since 1970 elsewhere
 *
 * @typedef {Identity & { parent: number, group: number, state: string }} Entry state: as ps(1) shows it, Z is a zombie
 */

/**
 * All processes as the system sees them now; empty on Windows, whose table cannot be read quickly.
 *
 * @returns {Entry[]}
 */
export function processTable () {
  if (linux) {
    return listNames('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => entryOf(Number(name)) ?? [])
  }
  if (process.platform === 'win32') return []
  return tableOfPs()
}

/**
 * The same from ps, for systems without /proc. It gives starts in whole seconds.
 *
 * @returns {Entry[]}
 */
export function tableOfPs () {
  try {
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
    const args = ['-A', ...['pid', 'ppid', 'pgid', 'stat', 'lstart'].flatMap((name) => ['-o', `${name}=`])]
    return parsePs(execFileSync('ps', args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return []
  }
}

/** @param {string} text of ps, in that order, with dates in UTC @returns {Entry[]} */
export function parsePs (text) {
  return text.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line)
    if (!found) return []
    const [pid, parent, group] = found.slice(1, 4).map(Number)
    const start = Date.parse(`${found[5]} UTC`)
    return Number.isNaN(start) ? [] : [{ pid, parent, group, state: found[4], start }]
  })
}

/**
 * One process; null when it is gone, or where the system does not tell.
 *
 * @param {number | undefined} pid
 * @returns {Entry | null}
 */
export function entryOf (pid) {
  if (!linux) return processTable().find((entry) => entry.pid === pid) ?? null
  const stat = readText(`/proc/${pid}/stat`)
  return stat === null ? null : parseStat(stat)
}

/** @param {string} stat proc(5) @returns {Entry | null} */
export function parseStat (stat) {
  const fields = fieldsOf(stat)
  // Fields 3, 4, 5 and 22 of proc(5).
  const [pid, parent, group, start] = [stat.slice(0, stat.indexOf(' ')), fields[1], fields[2], fields[19]].map(Number)
  return Number.isInteger(start) ? { pid, parent, group, start, state: fields[0] } : null
}

/**
 * The fields from the third on, the state: the second, a program's name in parentheses, may hold anything.
 *
 * @param {string} stat proc(5)
 */
export function fieldsOf (stat) {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** False for a zombie. @param {Entry} entry */
export function isRunning ({ state }) {
  return !/^[ZX]/.test(state)
}

/**
 * Is this process still running?
 *
 * @param {Identity} identity
 */
export function isThere ({ pid, start }) {
  const entry = entryOf(pid)
  return entry !== null && entry.start === start && isRunning(entry)
}

/**
 * `pid`, whether it is in the table or not, and the processes below it.
 *
 * @param {readonly Entry[]} table
 * @param {number} pid
 * @returns {number[]}
 */
export function treeOf (table, pid) {
  const found = new Set([pid])
  // Iterating a set includes what is added on the way.
  for (const parent of found) for (const entry of table) if (entry.parent === parent) found.add(entry.pid)
  return [...found]
}
