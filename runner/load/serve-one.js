import { WorkshopError } from '../errors.js'
import { createRandom } from '../random.js'
import { openFaultControl, withOneServer } from '../session/index.js'

/**
 * @import { Item, LoadedLesson } from '../lesson/index.js'
 * @import { StartOptions } from '../session/index.js'
 *
 * @typedef {object} Serving
 * @property {string} origin `http://127.0.0.1:40123`
 * @property {string} dataDir
 * @property {Item} example a request of the lesson's first load
 * @property {{ service: string, control: string } | null} upstream addresses: of the service that it calls, and of what
 *   makes that go wrong
 */

/**
 * Starts one of a lesson's servers for use by hand, until it's aborted.
 *
 * @param {object} given
 * @param {LoadedLesson} given.entry
 * @param {string} given.dir the folder with server.js
 * @param {string} given.seed
 * @param {StartOptions} [given.start]
 * @param {AbortSignal} given.signal
 * @param {(serving: Serving) => void} onStart
 * @returns {Promise<void>}
 * @throws {WorkshopError} it doesn't start, or ends by itself
 */
export function serveOne ({ entry, dir, seed, start, signal }, onStart) {
  return withOneServer({ entry, dir, seed, start, signal }, async ({ server, session: { data } }) => {
    const load = Object.values(entry.lesson.loads)[0]
    const model = entry.lesson.model?.({ data })
    const control = server.upstream && await openFaultControl(server.upstream)
    onStart({
      origin: server.origin,
      dataDir: server.dataDir,
      example: load.stream({ random: createRandom(seed), data, model })(),
      upstream: server.upstream && control ? { service: server.upstream.url, control: control.url } : null
    })
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    if (!signal.aborted) await Promise.race([server.exited, aborted])
    control?.close()
    if (!signal.aborted) throw new WorkshopError(`The server ${server.howItEnded()}.`)
  })
}
