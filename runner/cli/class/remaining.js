import { mean } from '../../judge/index.js'

/** What a check of a reference solution usually takes (docs/measured.md). */
const usualMs = 14_000

/**
 * Pure.
 *
 * @param {readonly number[]} took ms, for each check so far
 * @param {number} left how many checks are left
 * @returns {number} ms
 */
export function remainingMs (took, left) {
  return left * (took.length > 0 ? mean(took) : usualMs)
}

/** @param {number} ms @returns {string} `about 4 min`, `about 40 s` */
export function minutesText (ms) {
  return ms < 90_000 ? `about ${Math.max(5, Math.ceil(ms / 5000) * 5)} s` : `about ${Math.round(ms / 60_000)} min`
}
