import { carries } from './marker.js'

/**
 * What proves that a process is ours. Whatever it does not prove is left alone.
 *
 * @import { Entry, Identity } from './process-table.js'
 *
 * @typedef {object} Proof
 * @property {readonly Identity[]} noted processes that we spawned, or saw below one of
 *   ours, with the time of their start
 * @property {readonly string[]} markers `NAME=value`, of this run
 * @property {readonly Identity[]} [leaders] noted processes that led a process group of their
 *   own and have ended only now: no pid is given to anybody else while its group has members
 */

/**
 * Which processes are ours? Those that were noted and still have the start that was noted (pids are used again), those
 * with a marker in their environment, those in the group of a leader that has just ended, and what is below one of
 * these now or in the process group that it leads. Never pid 0 or 1, nor we ourselves, nor what we descend from.
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
  // A set that grows while it is walked through is walked through to its new end.
  for (const one of ours) {
    for (const other of others) {
      const isBelow = other.parent === one.pid || (one.group === one.pid && other.group === one.pid)
      // No process starts before its parent: one that did has a pid that is used again.
      if (isBelow && other.start >= one.start) ours.add(other)
    }
  }
  return [...ours]
}

/** Ourselves, what we descend from, and the system's. @param {readonly Entry[]} table @param {number} self */
function lineOf (table, self) {
  const line = new Set([0, 1, self])
  for (const pid of line) {
    const parent = table.find((entry) => entry.pid === pid)?.parent
    if (parent !== undefined) line.add(parent)
  }
  return line
}
