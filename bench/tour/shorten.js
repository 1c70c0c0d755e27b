/**
 * @import { Frame, Recording, Wait } from './record.js'
 *
 * @typedef {{ frames: Frame[], endMs: number }} Film no two frames after each other are alike
 */

/** What is shown for less isn't seen; a half-drawn picture is. */
const shortestMs = 30

/**
 * Makes long waits short, evenly, so that what moves meanwhile still moves; everything else keeps its pace. Frames that
 * would flash by are left out. Pure.
 *
 * @param {Recording} recording
 * @param {number} longestMs
 * @returns {Film}
 */
export function shorten ({ frames, waits, endMs }, longestMs) {
  const moved = (/** @type {number} */ ms) => waits.reduce((at, wait) => at - cutBefore(ms, wait, longestMs), ms)
  const end = moved(endMs)
  const timed = frames.map(({ atMs, picture }) => ({ atMs: moved(atMs), picture }))
  const lasting = timed.filter(({ atMs }, at) => (timed[at + 1]?.atMs ?? end) - atMs >= shortestMs)
  if (lasting[0]) lasting[0] = { ...lasting[0], atMs: 0 }
  const changing = lasting.filter(({ picture }, at) => at === 0 || !isAlike(picture, lasting[at - 1].picture))
  return { frames: changing, endMs: end }
}

/**
 * @param {number} ms
 * @param {Wait} wait
 * @param {number} longestMs
 * @returns {number} how much of the wait is cut out before that time, ms
 */
function cutBefore (ms, { fromMs, toMs }, longestMs) {
  const length = toMs - fromMs
  if (length <= longestMs) return 0
  return Math.min(length, Math.max(0, ms - fromMs)) * (1 - longestMs / length)
}

/** @param {unknown} one @param {unknown} other */
function isAlike (one, other) {
  return JSON.stringify(one) === JSON.stringify(other)
}
