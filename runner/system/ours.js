import { carries } from './marker.js'

/**
 * What proves that a process is ours. Processes without proof are left alone.
 *
 * @import { Entry, Identity } from './process-table.js'
 *
 * @typedef {object} Proof
 * @property {readonly Identity[]} noted processes that we spawned, or saw below one of ours
 * @property {readonly string[]} markers `NAME=value`, of this run
 * @property {readonly Identity[]} [leaders] noted leaders of process groups that have just ended: a pid is not reused
 *   while its group has members
 */

/**
 * Which processes are ours? Those that were noted and still have the same start (pids are reused), those with a marker
 * in their environment, those in the group of a leader that has just ended, and all that is below one of these or in
 * the group that it leads. Never pid 0 or 1, ourselves or our ancestors.
 *
 * @param {readonly Entry[]} table
 * @param {Proof} proof
 * @param {{ self: number, environmentOf: (pid: number) => string | null }} system self: our own pid; environmentOf:
 *   null where it cannot be read
 * @returns {Entry[]}
 */
export function provenOurs (table, { noted, markers, leaders = [] }, { self, environmentOf }) {
  const never = lineOf(table, self)
  const others = table.filter(({ pid }) => !never.has(pid))
  const isMarked = (/** @type {number} */ pid) => {
    const environment = environmentOf(pid)
    return markers.some((marker) => carries(environment, marker))
  }
  const isNoted = (/** @type {Identity} */ entry) =>
    noted.some(({ pid, start }) => pid === entry.pid && start === entry.start)
  const isTaken = (/** @type {Identity} */ { pid, start }) =>
    never.has(pid) || table.some((entry) => entry.pid === pid && entry.start !== start)
  const orphaned = leaders.filter((leader) => !isTaken(leader))
  const isOrphaned = (/** @type {Entry} */ entry) =>
    orphaned.some(({ pid, start }) => entry.group === pid && entry.start >= start)
  const ours = new Set(
    others.filter((entry) => isNoted(entry) || isOrphaned(entry) || (markers.length > 0 && isMarked(entry.pid)))
  )
  // Iterating a set includes what is added on the way.
  for (const one of ours) {
    for (const other of others) {
      const isBelow = other.parent === one.pid || (one.group === one.pid && other.group === one.pid)
      // No process starts before its parent: otherwise the pid was reused.
      if (isBelow && other.start >= one.start) ours.add(other)
    }
  }
  return [...ours]
}

/**
 * Ourselves, our ancestors, and the system's.
 *
 * @param {readonly Entry[]} table
 * @param {number} self
 */
function lineOf (table, self) {
  const line = new Set([0, 1, self])
  for (const pid of line) {
    const parent = table.find((entry) => entry.pid === pid)?.parent
    if (parent !== undefined) line.add(parent)
  }
  return line
}
