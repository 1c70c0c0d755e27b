import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { newSeed } from '../../../random.js'
import { spawnHelper } from '../../../session/index.js'
import { makeTemporary } from '../../../system/index.js'
import { hurriedClock } from './clock.js'
import { dayOf } from './day.js'

/**
 * A room for invented learners: a folder of its own, which goes away with it, a clock that hurries, and a process that
 * plays them.
 */

/** A day of six hours in little more than a minute. */
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
    /** What `openRoom` needs. */
    room: { dir: path.join(folder.dir, 'class'), now: hurriedClock(day), isSimulated: true },
    seconds: Math.ceil(day.dayMs / speed / 1000),
    /** @param {{ url: string, code: string }} room @returns {Promise<void>} when their day is over */
    play: async (room) => {
      const file = fileURLToPath(new URL('play.js', import.meta.url))
      helper = spawnHelper({ file, name: 'What plays the invented learners', env, signal })
      await helper.ask('play', { room, day, seed: newSeed(), learners }, patienceMs)
    },
    /** @returns {Promise<void>} when nothing is left of it */
    end: async () => {
      await helper?.close()
      await folder.remove()
    }
  }
}
