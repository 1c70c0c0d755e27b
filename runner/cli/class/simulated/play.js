import { setTimeout as sleep } from 'node:timers/promises'
import { findLessons, loadLesson } from '../../../lesson/index.js'
import { serveOrders } from '../../../process/child.js'
import { createRandom } from '../../../random.js'
import { askRoom } from '../../../seat/index.js'
import { inventDay } from './day.js'
import { inventRecord } from './invent-record.js'

/**
 * The process of the invented learners: joins the room over HTTP, as learners do, and reports invented checks.
 *
 * @import { LessonEntry } from '../../../lesson/index.js'
 * @import { Day } from './clock.js'
 * @import { InventedLearner } from './day.js'
 * @import { Lesson } from './invent-record.js'
 *
 * @typedef {object} Play
 * @property {{ url: string, code: string }} room
 * @property {Day} day
 * @property {string} seed
 * @property {number} learners
 */

serveOrders({ play })

/** @param {Play} given @returns {Promise<void>} when the day is over */
async function play ({ room, day, seed, learners }) {
  // Without lessons that are broken on this machine.
  const found = await Promise.all((await findLessons()).map((entry) => lessonOf(entry).catch(() => null)))
  const lessons = found.filter((lesson) => lesson !== null)
  const taught = lessons.map(({ id, checks, gates }) => ({ id, checks, gates: gates.map(({ name }) => name) }))
  await Promise.all(inventDay({ seed, learners, lessons: taught }).map((learner) =>
    // The instructor may remove a seat or lock the lobby: that learner is gone.
    live({ learner, room, day, lessons, seed }).catch((error) => { if (error.status === undefined) throw error })))
}

/** @param {{ learner: InventedLearner, room: Play['room'], day: Day, lessons: Lesson[], seed: string }} given */
async function live ({ learner, room: { url, code }, day: { begunAt, dayMs, speed }, lessons, seed }) {
  const until = (/** @type {number} */ atMs) => sleep(Math.max(0, begunAt + atMs / speed - Date.now()))
  const { name, nickname, board, machine } = learner
  await until(learner.joinsAtMs)
  const { token } = await askRoom({ url }, 'POST', 'api/seats', { body: { code, name, nickname, board } })
  for (const [at, { lesson: id, atMs, outcome }] of learner.checks.entries()) {
    await until(atMs)
    const lesson = lessons.find((one) => one.id === id)
    if (lesson === undefined) continue
    const random = createRandom(`${seed}/${name}/${at}`)
    if (learner.checks.findIndex((check) => check.lesson === id) === at) {
      const ratio = random.int(2, 30) / 2
      await askRoom({ url, token }, 'PUT', 'api/seat/prediction', { body: { lesson: id, ratio } })
    }
    const durationMs = random.int(6000, 16_000)
    const sentAt = begunAt - dayMs + atMs
    const startedAt = new Date(sentAt - durationMs).toISOString()
    const record = inventRecord({ lesson, outcome, machine, startedAt, durationMs, random })
    const body = { id: `simulated-${at}`, sentAt: new Date(sentAt).toISOString(), record }
    await askRoom({ url, token }, 'POST', 'api/seat/reports', { body })
  }
}

/** @param {LessonEntry} entry @returns {Promise<Lesson>} */
async function lessonOf (entry) {
  const { lesson } = await loadLesson(entry)
  const checks = lesson.contract.map(({ name }) => name)
  return { id: entry.id, number: entry.number, title: lesson.title, checks, gates: lesson.gates }
}
