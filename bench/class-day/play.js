import { setTimeout as sleep } from 'node:timers/promises'
import { findLessons, loadLesson } from '../../runner/lesson/index.js'
import { createRandom } from '../../runner/shared/random.js'
import { askRoom } from '../../runner/seat/index.js'
import { inventDay } from './invent-day.js'
import { inventRecord } from './invent-record.js'

/**
 * The invented learners: they join the room over HTTP, as learners do, and report invented checks.
 *
 * @import { LessonEntry } from '../../runner/lesson/index.js'
 * @import { InventedLearner } from './invent-day.js'
 * @import { Lesson } from './invent-record.js'
 *
 * @typedef {object} Day
 * @property {number} begunAt when the simulation started, ms since 1970
 * @property {number} dayMs length of the day
 * @property {number} speed simulated seconds per second
 *
 * @typedef {object} Play
 * @property {{ url: string, code: string }} room
 * @property {Day} day
 * @property {string} seed
 * @property {number} learners
 * @property {NodeJS.ProcessEnv} env which lessons
 * @property {AbortSignal} [signal]
 */

/** @param {Play} given @returns {Promise<void>} when the day is over */
export async function play ({ room, day, seed, learners, env, signal }) {
  // Without lessons that are broken on this machine.
  const found = await Promise.all((await findLessons({ env })).map((entry) => lessonOf(entry).catch(() => null)))
  const lessons = found.filter((lesson) => lesson !== null)
  const taught = lessons.map(({ id, checks, gates }) => ({ id, checks, gates: gates.map(({ name }) => name) }))
  await Promise.all(inventDay({ seed, learners, lessons: taught }).map((learner) =>
    // The instructor may remove a seat or lock the lobby: that learner is gone.
    live({ learner, room, day, lessons, seed, signal }).catch((error) => {
      if (error.status === undefined) throw error
    })))
}

/** @param {{ learner: InventedLearner, room: Play['room'], day: Day, lessons: Lesson[], seed: string,
 *   signal?: AbortSignal }} given */
async function live ({ learner, room: { url, code }, day: { begunAt, dayMs, speed }, lessons, seed, signal }) {
  const until = (/** @type {number} */ atMs) =>
    sleep(Math.max(0, begunAt + atMs / speed - Date.now()), undefined, { signal })
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

/**
 * The time of such a day: it begins in the past, hurries, and is never ahead of ours.
 *
 * @param {Day} day
 * @param {() => number} [now] ms since 1970
 * @returns {() => number} ms since 1970
 */
export function hurriedClock ({ begunAt, dayMs, speed }, now = Date.now) {
  return () => Math.min(now(), begunAt - dayMs + (now() - begunAt) * speed)
}
