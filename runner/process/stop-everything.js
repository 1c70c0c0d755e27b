import { setTimeout as sleep } from 'node:timers/promises'
import { markerOf, signalOurs } from './signals.js'
import { removeMade } from './temporary.js'

/**
 * @import { Entry } from './proc.js'
 * @import { TemporaryFolder } from './temporary.js'
 */

/**
 * After so many ms each it looks again: what had only just been spawned still has the environment of its parent, and
 * what was just being ended may have started something. 1.2 s in all.
 */
const pausesMs = [0, 5, 10, 20, 40, 80, 150, 300, 600]
/**
 * Meanwhile no system gives out all its pids: the group of a leader that has ended is still its own. Later that is true
 * of the groups of those that the last look has found.
 */
const looksForGroups = 5
/** These follow for as long as the last scan still finds a process. */
const morePausesMs = Array(20).fill(50)

/**
 * Stops everything that a run has started, and removes its folder.
 *
 * @param {object} given
 * @param {string} given.runMarker
 * @param {Entry[]} given.noted
 * @param {Pick<TemporaryFolder, 'dir' | 'identity'>} given.folder
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
    // What is below one of ours now may have lost its parent by the next look.
    noted = [...noted, ...found]
  }
  await removeMade(folder)
}
