import { median } from '../../judge/index.js'
import { standingOf } from './attempts.js'

/**
 * Which learners need the instructor to come by. Pure.
 *
 * @import { Lessons } from './attempts.js'
 *
 * @typedef {{ lesson: string, reason: string, times: number }} SameReason the last checks failed alike
 * @typedef {{ idleMs: number }} Idle no check for long, while the others move
 * @typedef {SameReason | Idle} Stuck
 *
 * @typedef {object} Sitting
 * @property {number} id
 * @property {number} joinedAt ms since 1970
 * @property {Lessons} lessons
 */

const sameTimes = 3
/** Reading a lesson and trying something takes its time. */
const leastIdleMs = 10 * 60_000
const timesMedian = 3

/**
 * @param {readonly Sitting[]} seats
 * @param {{ now: number, open: readonly string[] }} room now: ms since 1970; open: ids of the lessons that are open
 * @returns {Map<number, Stuck>} by seat
 */
export function findStuck (seats, { now, open }) {
  const idle = new Map(seats.map((seat) => [seat.id, now - lastSignOf(seat)]))
  const sorted = [...idle.values()]
  const limit = Math.max(leastIdleMs, timesMedian * (sorted.length > 0 ? median(sorted) : 0))
  return new Map(seats.flatMap((seat) => {
    const idleMs = idle.get(seat.id) ?? 0
    const isDone = open.every((lesson) => standing(seat, lesson)?.state === 'pass')
    const found = repeated(seat) ?? (idleMs > limit && !isDone && seats.length > 1 ? { idleMs } : null)
    return found ? [[seat.id, found]] : []
  }))
}

/** Of the lesson that was tried last. @param {Sitting} seat @returns {SameReason | null} */
function repeated ({ lessons }) {
  const latest = [...lessons].sort(([, a], [, b]) => (b.at(-1)?.at ?? 0) - (a.at(-1)?.at ?? 0))[0]
  if (latest === undefined) return null
  const [lesson, attempts] = latest
  if (standingOf(attempts).state === 'pass') return null
  const reason = attempts.at(-1)?.reason ?? null
  const before = attempts.findLastIndex((attempt) => attempt.reason !== reason)
  const times = attempts.length - 1 - before
  return reason !== null && times >= sameTimes ? { lesson, reason, times } : null
}

/** @param {Sitting} seat */
function lastSignOf ({ joinedAt, lessons }) {
  return Math.max(joinedAt, ...[...lessons.values()].map((attempts) => attempts.at(-1)?.at ?? 0))
}

/** @param {Sitting} seat @param {string} lesson */
function standing ({ lessons }, lesson) {
  const attempts = lessons.get(lesson)
  return attempts && standingOf(attempts)
}
