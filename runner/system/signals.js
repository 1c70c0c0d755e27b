import { execFile } from 'node:child_process'
import { requireMarker } from './marker.js'
import { provenOurs } from './ours.js'
import { readText } from './proc.js'
import { isRunning, processTable } from './process-table.js'

/**
 * @import { Proof } from './ours.js'
 * @import { Entry } from './process-table.js'
 */

/**
 * The only place from which a signal is ever sent; the linter refuses it everywhere else. No function here takes a pid:
 * each takes a proof, looks who is proven ours by it, and signals those in the same step.
 *
 */

/**
 * The running processes that are proven ours now. None on Windows, which tells us too little.
 *
 * @param {Proof} proof
 * @returns {Entry[]}
 * @throws {TypeError} a marker that is none: it could be found in everybody's environment
 */
export function findOurs (proof) {
  proof.markers.forEach(requireMarker)
  return provenOurs(processTable(), proof, { self: process.pid, environmentOf }).filter(isRunning)
}

/**
 * The same, for somebody who looks again and again: whose environment has been read once and does not prove it is not
 * read again.
 *
 * @param {Proof} proof
 * @returns {() => Entry[]}
 * @throws {TypeError} a marker that is none
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
        // What is only being started may have none yet.
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
 * @param {(entry: Entry) => boolean} [only] it is sent to these alone
 * @returns {Entry[]} all that are proven ours
 * @throws {TypeError} a marker that is none
 */
export function signalOurs (proof, name, only = () => true) {
  const ours = findOurs(proof)
  for (const { pid } of ours.filter(only)) {
    try {
      process.kill(pid, name)
    } catch {
      // It has ended in between, or runs under another user by now.
    }
  }
  return ours
}

/**
 * Has a child of this very process ended, or never started?
 *
 * @param {import('node:child_process').ChildProcess} child
 */
export function hasEnded (child) {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

/**
 * Sends a signal to a child of this very process. Until Node.js has told of its end, its pid cannot be somebody else's.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} name
 * @returns {boolean} false: it was never started, or has ended
 */
export function signalChild (child, name) {
  return !hasEnded(child) && child.kill(name)
}

/**
 * Ends a child of this very process with everything below it, as Windows does such things. Untested by us.
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
