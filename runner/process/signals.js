import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { isRunning, processTable, readText } from './proc.js'

/**
 * The only place that sends signals; the linter refuses them everywhere else. No function here takes a pid: each takes
 * a proof, finds the processes that it proves ours, and signals them in the same step.
 *
 * @import { Entry, Identity } from './proc.js'
 */

/**
 * The running processes that are proven ours now. Always empty on Windows, which tells too little.
 *
 * @param {Proof} proof
 * @returns {Entry[]}
 * @throws {TypeError} a malformed marker: it could match any environment
 */
export function findOurs (proof) {
  proof.markers.forEach(requireMarker)
  return provenOurs(processTable(), proof, { self: process.pid, environmentOf }).filter(isRunning)
}

/**
 * The same for repeated use: an environment that was read without finding a marker is not read again.
 *
 * @param {Proof} proof
 * @returns {() => Entry[]}
 * @throws {TypeError} a malformed marker
 */
export function watchOurs (proof) {
  proof.markers.forEach(requireMarker)
  /** Start by pid. @type {Map<number, number>} */
  let strangers = new Map()
  return () => {
    const table = processTable()
    const startOf = new Map(table.map(({ pid, start }) => [pid, start]))
    /** @type {Map<number, number>} */
    const read = new Map()
    const ours = provenOurs(table, proof, {
      self: process.pid,
      environmentOf: (pid) => {
        if (strangers.get(pid) === startOf.get(pid)) {
          read.set(pid, startOf.get(pid) ?? 0)
          return null
        }
        const environment = environmentOf(pid)
        // A process that is still being started may have none yet.
        if (environment) read.set(pid, startOf.get(pid) ?? 0)
        return environment
      }
    })
    for (const { pid } of ours) read.delete(pid)
    strangers = read
    return ours.filter(isRunning)
  }
}

/**
 * Sends a signal to the running processes that are proven ours now.
 *
 * @param {Proof} proof
 * @param {NodeJS.Signals} name
 * @param {(entry: Entry) => boolean} [only] which of them get it
 * @returns {Entry[]} all that are proven ours
 * @throws {TypeError} a malformed marker
 */
export function signalOurs (proof, name, only = () => true) {
  const ours = findOurs(proof)
  for (const { pid } of ours.filter(only)) {
    try {
      process.kill(pid, name)
    } catch {
      // The process has ended since, or runs under another user now.
    }
  }
  return ours
}

/** Has a child of this process ended, or never started? @param {import('node:child_process').ChildProcess} child */
export function hasEnded (child) {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

/**
 * Sends a signal to a child of this process. Until Node.js reports its end, its pid cannot belong to another process.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} name
 * @returns {boolean} false: it was never started, or has ended
 */
export function signalChild (child, name) {
  return !hasEnded(child) && child.kill(name)
}

/**
 * Ends a child of this process and everything below it, on Windows. Untested.
 *
 * @param {import('node:child_process').ChildProcess} child @returns {Promise<void>}
 */
export async function endTreeOnWindows (child) {
  if (hasEnded(child)) return
  const args = ['/PID', String(child.pid), '/T', '/F']
  await new Promise((resolve) => execFile('taskkill', args, { windowsHide: true }, resolve))
  signalChild(child, 'SIGKILL')
}

/** @param {number} pid @returns {string | null} as /proc has it; null where it cannot be read */
function environmentOf (pid) {
  return readText(`/proc/${pid}/environ`)
}

/**
 * Proof that a process is ours. Processes without it are left alone.
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
 * the group that it leads. Never pid 0 or 1, ourselves or our ancestors. What has started before us can't carry a
 * marker, because a run's check and its guard both start before its servers: so most environments needn't be read.
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
  const since = table.find(({ pid }) => pid === self)?.start ?? 0
  const isMarked = (/** @type {Entry} */ { pid, start }) => {
    if (markers.length === 0 || start < since) return false
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
    others.filter((entry) => isNoted(entry) || isOrphaned(entry) || isMarked(entry))
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

/** Ourselves, our ancestors, and the system's. @param {readonly Entry[]} table @param {number} self */
function lineOf (table, self) {
  const line = new Set([0, 1, self])
  for (const pid of line) {
    const parent = table.find((entry) => entry.pid === pid)?.parent
    if (parent !== undefined) line.add(parent)
  }
  return line
}

/**
 * Everything that a run starts has a variable with the run's random value in its environment, so that it can be found
 * even when it has left its process group and lost its parent.
 *
 * run: every server of the run and all that it starts; server: this one server; helper: our own processes.
 */
export const markerNames = {
  run: 'MAKE_IT_FAST_RUN',
  server: 'MAKE_IT_FAST_SERVER',
  helper: 'MAKE_IT_FAST_HELPER'
}

const value = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\/[1-9]\d{0,8})?$/

export const newRunMarker = () => randomUUID()

/**
 * @param {keyof typeof markerNames} kind
 * @param {string} text the value
 * @returns {string} `NAME=value`
 * @throws {TypeError} not a whole UUID: it could match another program's variable
 */
export function markerOf (kind, text) {
  if (!value.test(text)) throw new TypeError(`A marker is a random UUID, got ${JSON.stringify(text)}.`)
  return `${markerNames[kind]}=${text}`
}

/** @param {string} text @throws {TypeError} not a whole `NAME=value` of ours */
export function requireMarker (text) {
  const known = Object.values(markerNames).find((name) => typeof text === 'string' && text.startsWith(`${name}=`))
  if (!known || !value.test(text.slice(known.length + 1))) {
    throw new TypeError(`Not a marker of ours: ${JSON.stringify(text)}.`)
  }
}

/**
 * @param {string | null} environment as /proc/PID/environ has it
 * @param {string} marker `NAME=value`
 * @returns {boolean} does it hold exactly this variable?
 */
export function carries (environment, marker) {
  return environment !== null && environment.split('\0').includes(marker)
}
