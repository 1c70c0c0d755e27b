import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeTemporary, spawnHelper } from '../../../process/index.js'
import { newSeed } from '../../../random.js'
import { hurriedClock } from './clock.js'
import { dayOf } from './day.js'

/**
 * A room for invented learners: a temporary folder, a fast clock, and a process that plays them.
 */

/** Six hours take little more than a minute. */
const speed = 300
/** The day is over long before. */
const patienceMs = 3_600_000

/**
 * @param {object} given
 * @param {number} given.learners how many
 * @param {number} given.lessons how many
 * @param {NodeJS.ProcessEnv} given.env
 * @param {AbortSignal} given.signal
 */
export async function simulateClass ({ learners, lessons, env, signal }) {
  const folder = await makeTemporary()
  const day = { begunAt: Date.now(), dayMs: dayOf(lessons), speed }
  /** @type {ReturnType<typeof spawnHelper> | null} */
  let helper = null
  return {
    /** For `openRoom`. */
    room: { dir: path.join(folder.dir, 'class'), now: hurriedClock(day), isSimulated: true, mostSeats: learners },
    seconds: Math.ceil(day.dayMs / speed / 1000),
    /** @param {{ url: string, code: string }} room @returns {Promise<void>} resolves when the day is over */
    play: async (room) => {
      const file = fileURLToPath(new URL('play.js', import.meta.url))
      helper = spawnHelper({ file, name: 'The process of the invented learners', env, signal })
      await helper.ask('play', { room, day, seed: newSeed(), learners }, patienceMs)
    },
    /** @returns {Promise<void>} resolves when everything is removed */
    end: async () => {
      await helper?.close()
      await folder.remove()
    }
  }
}
