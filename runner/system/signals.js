import { execFile } from 'node:child_process'
import { requireMarker } from './marker.js'
import { provenOurs } from './ours.js'
import { readText } from './proc.js'
import { isRunning, processTable } from './process-table.js'

/**
 * The only place that sends signals; the linter refuses them everywhere else. No function here takes a pid: each takes
 * a proof, finds the processes that it proves ours, and signals them in the same step.
 *
 * @import { Proof } from './ours.js'
 * @import { Entry } from './process-table.js'
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
      // It has ended since, or runs under another user now.
    }
  }
  return ours
}

/**
 * Has a child of this process ended, or never started?
 *
 * @param {import('node:child_process').ChildProcess} child
 */
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
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<void>}
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
