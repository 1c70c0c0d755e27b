import { pbkdf2Sync } from 'node:crypto'

/** Time of the hash below on the machine on which the lessons' targets were set, ms. */
const tunedMs = 3.5
const tries = 4
/** Few steps, so that a run with the same seed mostly gets the same data. */
const steps = [1, 0.8, 0.65, 0.5, 0.4]

/**
 * How fast is a core of this machine, compared with one on which the lessons' targets were set?
 *
 * @returns {number} 1 for as fast or faster
 */
export function coreSpeed () {
  const durations = Array.from({ length: tries }, () => {
    const startedAt = performance.now()
    pbkdf2Sync('correct horse battery', 'staple', 10_000, 64, 'sha512')
    return performance.now() - startedAt
  })
  // Other programs can make it slower, never faster.
  return Math.min(1, tunedMs / Math.min(...durations))
}

/**
 * The share of a lesson's work that its data is sized to. Half of what a slow core lacks (on a log scale) makes the
 * work smaller, so that rounds don't get too long. The other half makes it take longer, because HTTP and scheduling are
 * slower as well: work as short as on a fast machine would lose its ratio to them. Pure.
 *
 * @param {number} speed of a core
 * @returns {number} one of a few steps, 1 or less
 */
export function sizeFor (speed) {
  // A step is left only when it is clearly missed.
  return steps.find((step) => Math.sqrt(speed) >= step * 0.93) ?? steps[steps.length - 1]
}

/**
 * How many times as long this machine needs for the same work. A core that we may use half of the time is half as fast.
 * Pure.
 *
 * @param {number} speed of a core
 * @param {number | null} limit CPUs that we may use, where that is limited
 * @returns {number} 1 or more
 */
export function paceOf (speed, limit) {
  return 1 / (Math.min(1, speed) * Math.min(1, limit ?? 1))
}
