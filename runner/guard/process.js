import { setTimeout as sleep } from 'node:timers/promises'
import { serveOrders } from '../helper/serve-orders.js'
import { markerOf } from '../system/marker.js'
import { signalOurs } from '../system/signals.js'
import { removeMade } from '../system/temporary.js'

/**
 * The process of the guard. It imports little, since whoever kills the run does not wait for it.
 */

/**
 * After so many ms each it looks again: what had only just been spawned still has the environment of its parent, and
 * what was just being ended may have started something. 1.2 s in all.
 */
const pausesMs = [0, 5, 10, 20, 40, 80, 150, 300, 600]

const [runMarker, dir, identity] = process.argv.slice(2)
const markers = [markerOf('run', runMarker), markerOf('helper', runMarker)]
/** @type {Map<number, import('../system/process-table.js').Identity>} */
const noted = new Map()

serveOrders({
  note: (one) => { noted.set(one.pid, one) },
  forget: ({ pid }) => { noted.delete(pid) }
}, { onOrphaned: stopEverything })

async function stopEverything () {
  for (const pauseMs of pausesMs) {
    await sleep(pauseMs)
    // What is below one of ours now may be nobody's child at the next look.
    for (const one of signalOurs({ noted: [...noted.values()], markers }, 'SIGKILL')) noted.set(one.pid, one)
  }
  await removeMade({ dir, identity })
}
