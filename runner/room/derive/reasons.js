import { standingOf } from './attempts.js'

/**
 * What to talk about next: why those who have tried a lesson have not passed it. Pure.
 *
 * @import { Sitting } from './stuck.js'
 *
 * @typedef {object} SharedReason
 * @property {string} lesson
 * @property {string} reason
 * @property {number} seats whose last attempt failed like this
 * @property {number} of seats that have tried the lesson and not passed it
 */

/**
 * @param {readonly Sitting[]} seats
 * @returns {SharedReason[]} what most of them share first
 */
export function sharedReasons (seats) {
  /** @type {Map<string, Map<string, number>>} */
  const byLesson = new Map()
  for (const { lessons } of seats) {
    for (const [lesson, attempts] of lessons) {
      const { reason } = standingOf(attempts)
      if (reason === null) continue
      const counts = byLesson.get(lesson) ?? new Map()
      byLesson.set(lesson, counts.set(reason, (counts.get(reason) ?? 0) + 1))
    }
  }
  return [...byLesson].flatMap(([lesson, counts]) => {
    const of = [...counts.values()].reduce((sum, count) => sum + count, 0)
    return [...counts].map(([reason, count]) => ({ lesson, reason, seats: count, of }))
  }).sort((a, b) => b.seats - a.seats || a.lesson.localeCompare(b.lesson) || a.reason.localeCompare(b.reason))
}
