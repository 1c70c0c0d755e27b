import { median } from '../../judge/index.js'
import { standingOf } from './attempts.js'

/** @import { Sitting } from './stuck.js' */

/**
 * How long a lesson takes: from when a learner turned to it (they joined, or left another lesson with their last check)
 * to their first pass. Pure.
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
