import { setTimeout as sleep } from 'node:timers/promises'
import { endTreeOnWindows, findOurs, hasEnded, isThere, signalChild, signalOurs } from '../../system/index.js'

/** @import { Entry, Proof } from '../../system/index.js' */

const windows = process.platform === 'win32'
/** So many looks one after the other have to find nothing, since something may be started during one. */
const quietLooks = 2
const mostLooks = 40

/**
 * Stops a child of ours with everything that it started: asks first, then insists.
 *
 * @param {object} given
 * @param {import('node:child_process').ChildProcess} given.child
 * @param {Proof} given.proof
 * @param {Entry | null} [given.leader] which of its processes is asked to stop, where that isn't the child
 * @param {number} [given.graceMs] how long it may take to end by itself
 * @returns {Promise<{ forced: boolean, orphans: number }>} forced: it ignored the request to stop;
 *   orphans: processes that it had left behind
 */
export async function stopTree ({ child, proof, leader = null, graceMs = 400 }) {
  if (windows) return stopOnWindows(child)
  const hasExited = () => hasEnded(child)
  // The look comes before the signals: its descendants can be found only while it lives.
  const family = signalOurs(
    proof,
    'SIGTERM',
    ({ pid, group }) => !hasExited() && (pid === (leader?.pid ?? child.pid) || group === (leader?.group ?? child.pid))
  )
  // Where the system's table tells nothing there is the handle.
  if (!family.some(({ pid }) => pid === child.pid)) signalChild(child, 'SIGTERM')
  const deadline = performance.now() + graceMs
  await until(() => hasExited() && !family.some(isThere), graceMs)
  const forced = !hasExited()
  // Processes that lost their parent meanwhile, and carry no marker, are known from the first look.
  const known = { ...proof, noted: [...proof.noted, ...family] }
  // A process that was just being started ends as soon as it notices that its parent is gone.
  if (!forced) await until(() => findOurs(known).length === 0, deadline - performance.now())
  signalChild(child, 'SIGKILL')
  const orphans = (await killAll(known)).filter(({ pid }) => pid !== child.pid).length
  await until(hasExited, 1000)
  return { forced, orphans }
}

/** @param {Proof} proof @returns {Promise<Entry[]>} what the first look found */
async function killAll (proof) {
  let { noted } = proof
  /** @type {Entry[] | undefined} */
  let first
  for (let looks = 0, quiet = 0; looks < mostLooks && quiet < quietLooks; looks++) {
    const found = signalOurs({ ...proof, noted }, 'SIGKILL')
    first ??= found
    noted = [...noted, ...found]
    quiet = found.length === 0 ? quiet + 1 : 0
    if (quiet === 0) await sleep(10)
  }
  return first ?? []
}

/**
 * Windows has no signals and no question: its tree is ended. Untested by us.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
async function stopOnWindows (child) {
  await endTreeOnWindows(child)
  await until(() => hasEnded(child), 2000)
  return { forced: false, orphans: 0 }
}

/** @param {() => boolean} condition @param {number} timeoutMs */
async function until (condition, timeoutMs) {
  const end = performance.now() + timeoutMs
  while (!condition() && performance.now() < end) await sleep(5)
}
