import { setTimeout as sleep } from 'node:timers/promises'
import { isThere } from './proc.js'
import { endTreeOnWindows, findOurs, hasEnded, markerOf, signalChild, signalOurs } from './signals.js'
import { removeMade } from './temporary.js'

/**
 * The end of what a run has started: of one child with its tree, and of everything.
 *
 * @import { ChildProcess } from 'node:child_process'
 * @import { Entry } from './proc.js'
 * @import { Proof } from './signals.js'
 * @import { TemporaryFolder } from './temporary.js'
 */

const windows = process.platform === 'win32'
/** So many looks one after the other have to find nothing, since something may be started during one. */
const quietLooks = 2
const mostLooks = 40

/**
 * Stops a child of ours with everything that it started: asks first, then insists.
 *
 * @param {{ child: ChildProcess, proof: Proof, leader?: Entry | null, graceMs?: number }} given leader: which of its
 *   processes is asked to stop, where that isn't the child; graceMs: how long it may take to end by itself
 * @returns {Promise<{ forced: boolean, orphans: number }>} forced: it ignored the request to stop;
 *   orphans: processes that it had left behind
 */
export async function stopTree ({ child, proof, leader = null, graceMs = 400 }) {
  if (windows) {
    // Windows has no signals and no question: its tree is ended. Untested by us.
    await endTreeOnWindows(child)
    await until(() => hasEnded(child), 2000)
    return { forced: false, orphans: 0 }
  }
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

/** @param {() => boolean} condition @param {number} timeoutMs */
async function until (condition, timeoutMs) {
  const end = performance.now() + timeoutMs
  while (!condition() && performance.now() < end) await sleep(5)
}

/**
 * After so many ms each the guard looks again: what had only just been spawned still has the environment of its parent,
 * and what was just being ended may have started something. 1.2 s in all.
 */
const pausesMs = [0, 5, 10, 20, 40, 80, 150, 300, 600]
/**
 * Meanwhile no system gives out all its pids: the group of a leader that has ended is still its own. Later that is true
 * of the groups of those that the last look has found.
 */
const looksForGroups = 5
/** Further pauses, for as long as the last look still finds a process. */
const morePausesMs = Array(20).fill(50)

/**
 * Stops everything that a run has started, and removes its folder.
 *
 * @param {{ runMarker: string, noted: Entry[], folder: Pick<TemporaryFolder, 'dir' | 'identity'> }} given
 */
export async function stopEverything ({ runMarker, noted, folder }) {
  const markers = [markerOf('run', runMarker), markerOf('helper', runMarker)]
  /** @type {Entry[]} */
  let found = []
  for (const [look, pauseMs] of [...pausesMs, ...morePausesMs].entries()) {
    if (look >= pausesMs.length && found.length === 0) break
    await sleep(pauseMs)
    // The kernel may have ended a server with the run, or we at the last look, while it was starting something.
    const leaders = noted
      .filter(({ pid, group }) => pid === group)
      .filter(({ pid }) => look < looksForGroups || found.some(({ group }) => group === pid))
    found = signalOurs({ noted, markers, leaders }, 'SIGKILL')
    // Descendants of ours may have lost their parent by the next look.
    noted = [...noted, ...found]
  }
  await removeMade(folder)
}
