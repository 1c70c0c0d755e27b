import { median } from '../../runner/judge/index.js'
import { hasPassed, lastOf, spanOf, standingOf } from './attempts.js'

/**
 * Which learners are here, and what they're doing: from what their machines say when they poll, and how long ago. Times
 * are ms since 1970. Pure.
 *
 * @import { Distance, Lessons } from './attempts.js'
 *
 * @typedef {'reading' | 'looking' | 'checking'} Doing
 *
 * @typedef {object} Sign the last one of a seat
 * @property {number} at ms since 1970
 * @property {Doing | null} state null: its machine polls, but says nothing else
 * @property {string | null} lesson id
 * @property {number} lookedAt when it last looked or checked, ms since 1970; 0: not yet
 *
 * @typedef {{ at: number, lesson: string | null }} Hand that is up; at: since when, ms since 1970; lesson: id
 *
 * @typedef {{ state: Doing | 'away' | null, lesson: string | null, minutes: number }} Presence state: null: not known
 *   right now; lesson: id; minutes since it was last seen
 */

/** @type {readonly Doing[]} */
export const doings = ['reading', 'looking', 'checking']

/** Polls come every ten seconds, but not from a hidden page. */
const freshMs = 2 * 60_000
/** Between two previews of their saves, learners change code. */
const lookingMs = 3 * 60_000
const awayMs = 30 * 60_000

/** @param {number} seenAt last @param {Sign | undefined} sign @param {number} now @returns {Presence} */
export function presenceOf (seenAt, sign, now) {
  const minutes = Math.max(0, Math.floor((now - seenAt) / 60_000))
  if (isAway(seenAt, now)) return { state: 'away', lesson: null, minutes }
  if (sign === undefined || now - sign.at > freshMs) return { state: null, lesson: null, minutes }
  const isLooking = sign.state === 'reading' && now - sign.lookedAt <= lookingMs
  return { state: isLooking ? 'looking' : sign.state, lesson: sign.lesson, minutes }
}

/** Gone home, most likely. @param {number} seenAt @param {number} now */
function isAway (seenAt, now) {
  return now - seenAt > awayMs
}

/**
 * The learners who need the instructor's help.
 *
 * @typedef {{ minutes: number }} Idle no check and no preview for so long, while the others move
 * @typedef {NonNullable<ReturnType<typeof repeated>> | Idle} Stuck
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
 * @param {{ now: number, open: readonly string[], current?: { lesson: string, startedAt: string } | null }} room open:
 *   ids of the lessons that are open; current: the only lesson that counts, and since when
 * @returns {Map<number, Stuck>} by seat
 */
export function findStuck (all, { now, open, current = null }) {
  const seats = all.filter(({ seenAt }) => !isAway(seenAt, now))
  const begun = current === null ? 0 : Date.parse(current.startedAt)
  const idle = new Map(seats.map(({ id, joinedAt, lookedAt, lessons }) => {
    const checks = [...lessons.values()].map((attempts) => attempts.at(-1)?.at ?? 0)
    return [id, now - Math.max(begun, joinedAt, lookedAt, ...checks)]
  }))
  const sorted = [...idle.values()]
  const limit = Math.max(leastIdleMs, timesMedian * (sorted.length > 0 ? median(sorted) : 0))
  return new Map(seats.flatMap((seat) => {
    const idleMs = idle.get(seat.id) ?? 0
    const wanted = current === null ? open : [current.lesson]
    const isDone = wanted.every((lesson) => hasPassed(seat.lessons.get(lesson)))
    const own = lastOf(seat.lessons)?.verdict === 'pass' ? Math.max(limit, afterPassMs) : limit
    const isIdle = idleMs > own && !isDone && seats.length > 1
    // In minutes, so that views change no more often than that.
    const found = repeated(seat, current?.lesson) ?? (isIdle ? { minutes: Math.floor(idleMs / 60_000) } : null)
    return found ? [[seat.id, found]] : []
  }))
}

/**
 * The last checks of a lesson have not passed, and got no further. `isSame`: they share a reason.
 *
 * @param {Sitting} seat
 * @param {string} [wanted] default: the lesson tried last
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

/**
 * Reasons why learners who have tried a lesson haven't passed it, the most common first.
 *
 * @typedef {ReturnType<typeof sharedReasons>[number]} SharedReason seats: whose last attempt failed like this, of: all
 *   that have tried the lesson and not passed it
 *
 * @param {readonly Sitting[]} seats
 */
export function sharedReasons (seats) {
  /** @type {Map<string, Map<string, (Distance | null)[]>>} */
  const byLesson = new Map()
  for (const { lessons } of seats) {
    for (const [lesson, attempts] of lessons) {
      const { reason, distance } = standingOf(attempts)
      if (reason === null) continue
      const distances = byLesson.get(lesson) ?? new Map()
      byLesson.set(lesson, distances.set(reason, [...distances.get(reason) ?? [], distance]))
    }
  }
  return [...byLesson].flatMap(([lesson, distances]) => {
    const of = [...distances.values()].reduce((sum, { length }) => sum + length, 0)
    return [...distances].map(([reason, own]) => ({ lesson, reason, seats: own.length, distance: spanOf(own), of }))
  }).sort((a, b) => b.seats - a.seats || a.lesson.localeCompare(b.lesson) || a.reason.localeCompare(b.reason))
}

/**
 * A lesson takes the time from when a learner turned to it (they joined, or left another lesson with their last check)
 * to their first pass.
 *
 * @param {readonly Sitting[]} seats
 * @param {string} lesson
 * @returns {number | null} median, ms; null: not passed yet
 */
export function medianTime (seats, lesson) {
  const times = seats.flatMap((seat) => {
    const attempts = seat.lessons.get(lesson)
    const passedAt = attempts ? standingOf(attempts).passedAt : null
    return attempts && passedAt !== null ? [passedAt - turnedTo(seat, lesson, attempts[0].at)] : []
  })
  return times.length > 0 ? median(times) : null
}

/** @param {Sitting} seat @param {string} lesson @param {number} firstAt ms since 1970 */
function turnedTo ({ joinedAt, lessons }, lesson, firstAt) {
  let last = joinedAt
  for (const [id, attempts] of lessons) {
    if (id === lesson) continue
    for (const { at } of attempts) if (at <= firstAt && at > last) last = at
  }
  // Checks from before the learner joined are work already done.
  return Math.min(firstAt, last)
}
