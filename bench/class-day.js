import { once, setMaxListeners } from 'node:events'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { findLessons } from '../runner/lesson/index.js'
import { makeTemporary } from '../runner/process/index.js'
import { newSeed } from '../runner/shared/random.js'
import { openRoom } from '../classroom/room/index.js'
import { dayOf } from './class-day/invent-day.js'
import { hurriedClock, play } from './class-day/play.js'

/**
 * A room to look at and to take pictures of: so many invented learners, whose day takes about a minute, report over
 * HTTP what they never measured. `npm run measure class-day -- --learners 24`. Ctrl-C removes all of it.
 */

const { values } = parseArgs({
  options: { learners: { type: 'string', default: '24' }, speed: { type: 'string', default: '300' } }
})
const learners = Number(values.learners)
const day = { begunAt: Date.now(), dayMs: dayOf((await findLessons()).length), speed: Number(values.speed) }
const controller = new AbortController()
const { signal } = controller
// Each learner waits for it.
setMaxListeners(0, signal)
process.once('SIGINT', () => controller.abort()).once('SIGTERM', () => controller.abort())

const folder = await makeTemporary()
try {
  const { code, learners: [address], instructor, close } = await openRoom({
    dir: path.join(folder.dir, 'class'),
    env: process.env,
    now: hurriedClock(day),
    // They join faster than people do.
    admissionLimits: null,
    mostSeats: learners,
    say: console.log
  })
  try {
    console.log(`Learners: ${address}\nYou: ${instructor}`)
    const room = { url: new URL('/', address).href, code }
    play({ room, day, seed: newSeed(), learners, env: process.env, signal }).then(
      () => console.log('Their day is over. The room stays open.'),
      (error) => { if (!signal.aborted) console.error(error) })
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    await close()
  }
} finally {
  await folder.remove()
}
