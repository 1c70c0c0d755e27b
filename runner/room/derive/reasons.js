import { standingOf } from './attempts.js'
import { spanOf } from './distance.js'

/**
 * What to talk about next: why learners who have tried a lesson haven't passed it. Pure.
 *
 * @import { Distance } from './distance.js'
 * @import { Sitting } from './stuck.js'
 *
 * @typedef {object} SharedReason
 * @property {string} lesson
 * @property {string} reason
 * @property {number} seats whose last attempt failed like this
 * @property {Distance | null} distance the range of their distances
 * @property {number} of seats that have tried the lesson and not passed it
 */

/**
 * @param {readonly Sitting[]} seats
 * @returns {SharedReason[]} the most common first
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
