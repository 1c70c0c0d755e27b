import { setTimeout as sleep } from 'node:timers/promises'
import { markerOf, removeMade, signalOurs } from '../../system/index.js'

/** @import { Entry, TemporaryFolder } from '../../system/index.js' */

/**
 * After so many ms each it looks again: what had only just been spawned still has the environment of its parent, and
 * what was just being ended may have started something. 1.2 s in all.
 */
const pausesMs = [0, 5, 10, 20, 40, 80, 150, 300, 600]

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
  // The kernel may have ended the servers with the run, a moment ago.
  let leaders = noted.filter(({ pid, group }) => pid === group)
  for (const pauseMs of pausesMs) {
    await sleep(pauseMs)
    // What is below one of ours now may be nobody's child at the next look.
    noted = [...noted, ...signalOurs({ noted, markers, leaders }, 'SIGKILL')]
    leaders = []
  }
  await removeMade(folder)
}
