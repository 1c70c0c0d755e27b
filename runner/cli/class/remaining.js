import { mean } from '../../judge/index.js'

/** Of one check of a reference, before any was made (docs/measured.md). */
const usualMs = 14_000

/**
 * Pure.
 *
 * @param {readonly number[]} took ms, of the checks so far
 * @param {number} left how many are still to be made
 * @returns {number} ms
 */
export function remainingMs (took, left) {
  return left * (took.length > 0 ? mean(took) : usualMs)
}

/** @param {number} ms @returns {string} `about 4 min`, `about 40 s` */
export function minutesText (ms) {
  return ms < 90_000 ? `about ${Math.max(5, Math.ceil(ms / 5000) * 5)} s` : `about ${Math.round(ms / 60_000)} min`
}
