import fs from 'node:fs'
import path from 'node:path'
import { createRoom } from '../../classroom/room/room-state.js'
import { join } from '../../classroom/room/seats.js'
import { instructorView } from '../../classroom/room/room-views.js'
import { openStore } from '../../classroom/room/store.js'
import { submit, workIn } from '../../classroom/room/submissions.js'
import { makeFolder } from '../../test/temporary.js'
import { gradingOf, submissionBy } from './course.js'

/**
 * What a submission leaves in the room, and what each step costs there once there are many.
 *
 * @import { Lesson } from './course.js'
 *
 * @typedef {object} Step ms, medians
 * @property {number} kept submissions that the room has
 * @property {number} submit
 * @property {number} claim
 * @property {number} finish
 * @property {number} view of all that the instructor's page shows
 */

const sampled = 40

/**
 * @param {readonly Lesson[]} lessons
 * @param {{ seats: number, steps: readonly number[] }} given steps: after how many submissions to look
 * @returns {Promise<{ bytes: number, handedIn: number, heap: number, steps: Step[] }>} bytes of each in the store;
 *   handedIn: of each, its files as they were sent; heap: bytes of each in the room's memory
 */
export async function growth (lessons, { seats, steps }) {
  const { dir, remove } = makeFolder()
  const file = path.join(dir, 'room.sqlite')
  const store = await openStore(file)
  const unknown = { tiers: [], checks: [], gates: [], leading: null }
  const shown = lessons.map(({ id, number }) => ({ id, number, title: id, ...unknown }))
  const room = createRoom({ store, lessons: shown, mostSeats: seats })
  const work = workIn(room)
  const taken = Array.from({ length: seats }, (_, at) => join(room, { code: '', name: `Learner ${at}` }, '').seat)
  const most = Math.max(...steps)
  /** @type {Record<'submit' | 'claim' | 'finish', number[]>} */
  const times = { submit: [], claim: [], finish: [] }
  let handedIn = 0
  const heapBefore = heapNow()
  /** @type {Step[]} */
  const found = []
  for (let at = 0; at < most; at++) {
    const lesson = lessons[Math.floor(at / seats) % lessons.length]
    const body = submissionBy(lesson, at)
    handedIn += Buffer.byteLength(JSON.stringify(body))
    timed(times.submit, () => submit(room, taken[at % seats], body))
    const job = timed(times.claim, () => work.claim({ worker: 'one' }))
    if (job === null) throw new Error('What was submitted isn’t given out.')
    timed(times.finish, () => work.settle({ ...job, outcome: { result: gradingOf(lesson) } }))
    if (!steps.includes(at + 1)) continue
    /** @type {number[]} */
    const views = []
    for (let i = 0; i < 5; i++) timed(views, () => JSON.stringify(instructorView(room)))
    found.push({
      kept: at + 1,
      submit: lastMedian(times.submit),
      claim: lastMedian(times.claim),
      finish: lastMedian(times.finish),
      view: lastMedian(views)
    })
  }
  const heap = (heapNow() - heapBefore) / most
  store.close()
  const bytes = fs.statSync(file).size / most
  remove()
  return { bytes, handedIn: handedIn / most, heap, steps: found }
}

/** @template T @param {number[]} times @param {() => T} act @returns {T} */
function timed (times, act) {
  const begun = performance.now()
  const result = act()
  times.push(performance.now() - begun)
  return result
}

/** @param {readonly number[]} times */
function lastMedian (times) {
  const sorted = times.slice(-sampled).sort((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

function heapNow () {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
