import { median } from '../../judge/index.js'
import { hasPassed, standingOf } from './attempts.js'

/**
 * What the class expects of a lesson, and what it has measured. Pure.
 *
 * @import { Lessons } from './attempts.js'
 * @import { Prediction } from '../store/store.js'
 *
 * @typedef {Map<string, Map<number, number>>} Predictions ratios by the id of the lesson and of the seat
 *
 * @typedef {object} Predicted
 * @property {number[]} ratios from the smallest, so that their order tells nothing about whose they are
 * @property {{ ratio: number, of: number } | null} measured the median, and the number that passed; null: too few
 */

/** @param {Predictions} predictions changed @param {Prediction} prediction replaces an earlier one */
export function addPrediction (predictions, { seat, lesson, ratio }) {
  predictions.set(lesson, new Map(predictions.get(lesson)).set(seat, ratio))
}

/** With fewer, learners could tell whose is whose. */
const least = 3

/**
 * @param {ReadonlyMap<number, number>} ratios by seat
 * @param {string} lesson id
 * @param {readonly { lessons: Lessons }[]} seats
 * @returns {Predicted | null} null: too few predictions
 */
export function predictedOf (ratios, lesson, seats) {
  if (ratios.size < least) return null
  const measured = seats.flatMap(({ lessons }) => {
    const attempts = lessons.get(lesson) ?? []
    return hasPassed(attempts) ? standingOf(attempts).ratio ?? [] : []
  })
  return {
    ratios: [...ratios.values()].sort((a, b) => a - b),
    measured: measured.length < least ? null : { ratio: median(measured), of: measured.length }
  }
}
