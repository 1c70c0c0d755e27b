import { refuse } from '../http/index.js'
import { serveOne } from '../load/index.js'
import { newSeed } from '../random.js'
import { errorMessage } from './error-message.js'

/**
 * One of a lesson's servers for use by hand, as `npm run serve` starts it: one at a time, until it's stopped or the
 * workshop closes.
 *
 * @import { LoadedLesson } from '../lesson/index.js'
 *
 * @typedef {object} Served
 * @property {string} lesson slug
 * @property {'slow' | 'mine'} server
 * @property {string} url
 *
 * @typedef {ReturnType<typeof createServing>} Serving
 *
 * @param {object} given
 * @param {(entry: LoadedLesson) => Promise<string>} given.openCopy the folder of the learner's copy
 * @param {() => Promise<unknown>} given.onChange
 */
export function createServing ({ openCopy, onChange }) {
  let controller = new AbortController()
  let ended = Promise.resolve()
  /** @type {Served | null} */
  let served = null
  const stop = async () => {
    controller.abort()
    await ended
  }
  return {
    read: () => served,
    stop,
    /**
     * @param {LoadedLesson} entry
     * @param {{ server?: 'slow', port?: number }} asked
     * @returns {Promise<Served>}
     * @throws with a status: it didn't start
     */
    start: (entry, { server, port }) => {
      if (entry.lesson.kind === 'load plan') throw refuse(400, 'This lesson has no server to start.')
      const before = stop()
      const { signal } = controller = new AbortController()
      return new Promise((resolve, reject) => {
        const serve = async () => {
          await before
          const own = await openCopy(entry)
          const dir = server === 'slow' ? entry.slowDir : own
          await serveOne({ entry, dir, seed: newSeed(), start: { port }, signal }, ({ origin: url }) => {
            served = { lesson: entry.id, server: server ?? 'mine', url }
            resolve(served)
            onChange().catch(() => {})
          })
        }
        ended = serve().catch((error) => reject(refuse(409, errorMessage(error)))).then(() => {
          served = null
          reject(refuse(409, 'It was stopped before it listened.'))
          onChange().catch(() => {})
        })
      })
    }
  }
}
