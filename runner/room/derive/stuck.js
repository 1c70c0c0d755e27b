import { median } from '../../judge/index.js'
import { hasPassed, lastOf } from './attempts.js'
import { isAway } from './presence.js'

/**
 * The learners who need the instructor's help. Pure.
 *
 * @import { Distance } from './distance.js'
 * @import { Lessons } from './attempts.js'
 *
 * @typedef {object} SameReason the last checks of a lesson have not passed, and got no further
 * @property {string} lesson
 * @property {string} reason of the last one
 * @property {Distance | null} distance of the last one
 * @property {number} times how many in a row
 * @property {boolean} isSame they share a reason
 *
 * @typedef {{ minutes: number }} Idle no check and no look for so long, while the others move
 * @typedef {SameReason | Idle} Stuck
 *
 * @typedef {object} Sitting
 * @property {number} id
 * @property {number} joinedAt ms since 1970
 * @property {number} seenAt ms since 1970
 * @property {number} lookedAt when it last looked at a save, ms since 1970; 0: unknown
 * @property {Lessons} lessons
 */

const sameTimes = 3
/** Reading a lesson and trying something takes its time. */
const leastIdleMs = 10 * 60_000
const timesMedian = 3
/** A learner who has just passed is reading on. */
const afterPassMs = 20 * 60_000

/**
 * @param {readonly Sitting[]} all
 * @param {object} room
 * @param {number} room.now ms since 1970
 * @param {readonly string[]} room.open ids of the lessons that are open
 * @param {{ lesson: string, startedAt: string } | null} [room.current] the only lesson that counts, and since when
 * @returns {Map<number, Stuck>} by seat
 */
export function findStuck (all, { now, open, current = null }) {
  const seats = all.filter(({ seenAt }) => !isAway(seenAt, now))
  const begun = current === null ? 0 : Date.parse(current.startedAt)
  const idle = new Map(seats.map((seat) => [seat.id, now - Math.max(begun, lastSignOf(seat))]))
  const sorted = [...idle.values()]
  const limit = Math.max(leastIdleMs, timesMedian * (sorted.length > 0 ? median(sorted) : 0))
  return new Map(seats.flatMap((seat) => {
    const idleMs = idle.get(seat.id) ?? 0
    const wanted = current === null ? open : [current.lesson]
    const isDone = wanted.every((lesson) => hasPassed(seat.lessons.get(lesson)))
    const own = justPassed(seat) ? Math.max(limit, afterPassMs) : limit
    const isIdle = idleMs > own && !isDone && seats.length > 1
    // In minutes, so that views change no more often than that.
    const found = repeated(seat, current?.lesson) ?? (isIdle ? { minutes: Math.floor(idleMs / 60_000) } : null)
    return found ? [[seat.id, found]] : []
  }))
}

/**
 * @param {Sitting} seat
 * @param {string} [wanted] default: the lesson tried last
 * @returns {SameReason | null}
 */
function repeated ({ lessons }, wanted) {
  const lesson = wanted ?? lastOf(lessons)?.lesson
  const attempts = lesson === undefined ? [] : lessons.get(lesson) ?? []
  if (lesson === undefined || attempts.length < sameTimes || hasPassed(attempts)) return null
  const recent = attempts.slice(-sameTimes)
  const [first, last] = [recent[0], recent[recent.length - 1]]
  if (last.reason === null || (last.low ?? 0) > (first.high ?? Infinity)) return null
  const sets = recent.map(({ reason, failing }) => new Set([reason, ...failing]))
  const isSame = [...sets[0]].some((one) => sets.every((set) => set.has(one)))
  return { lesson, reason: last.reason, distance: last.distance, times: attempts.length, isSame }
}

/** @param {Sitting} seat */
function justPassed ({ lessons }) {
  return lastOf(lessons)?.verdict === 'pass'
}

/** @param {Sitting} seat */
function lastSignOf ({ joinedAt, lookedAt, lessons }) {
  return Math.max(joinedAt, lookedAt, ...[...lessons.values()].map((attempts) => attempts.at(-1)?.at ?? 0))
}
