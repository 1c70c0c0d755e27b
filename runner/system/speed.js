import { pbkdf2Sync } from 'node:crypto'

/** What one block of the hash below takes, ms, on the machine on which the lessons' targets were set. */
const tunedMs = 3.5
const looks = 4
/** Sizes that differ by less say nothing: a run with the same seed mostly gets the same data. */
const steps = [1, 0.8, 0.65, 0.5, 0.4, 0.3]

/**
 * How fast is a core of this machine? Data is sized by it, so that one unit of a lesson's work costs here about what it
 * cost where its targets were set.
 *
 * @returns {number} 1 for as fast or faster, else one of a few steps below 1
 */
export function coreSpeed () {
  const durations = Array.from({ length: looks }, () => {
    const startedAt = performance.now()
    pbkdf2Sync('correct horse battery', 'staple', 10_000, 64, 'sha512')
    return performance.now() - startedAt
  })
  // Other programs can make it slower, never faster.
  return stepBelow(tunedMs / Math.min(...durations))
}

/** Pure. @param {number} speed */
export function stepBelow (speed) {
  // A step is left only when it is clearly missed.
  return steps.find((step) => speed >= step * 0.93) ?? steps[steps.length - 1]
}
