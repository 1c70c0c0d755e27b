/**
 * @import { Moment } from './operation.js'
 */

/**
 * The few moments of a sequence that still show a failure: parts are left out, larger ones first, for as long as it
 * fails without them. Delta debugging: Zeller and Hildebrandt, Simplifying and isolating failure-inducing input, IEEE
 * Transactions on Software Engineering 28 (2002).
 *
 * @template Failure
 * @param {Moment[]} moments
 * @param {Failure} failure of all of them
 * @param {(moments: Moment[]) => Promise<Failure | null>} tryOut null: these do not fail
 * @param {{ mostTries: number, isLate?: () => boolean }} bounds
 * @returns {Promise<{ moments: Moment[], failure: Failure }>}
 */
export async function shrink (moments, failure, tryOut, { mostTries, isLate = () => false }) {
  let tries = 0
  const mayTry = () => tries < mostTries && !isLate()
  /** @param {Moment[]} fewer */
  const failsToo = async (fewer) => {
    const isLess = fewer.length < moments.length || stepsOf(fewer) < stepsOf(moments)
    if (fewer.length === 0 || !isLess) return false
    tries++
    const still = await tryOut(fewer)
    if (still === null) return false
    moments = fewer
    failure = still
    return true
  }
  // Events cost most, and a failure that needs none is the plainest.
  if (mayTry()) await failsToo(moments.filter(({ event }) => event === undefined))
  // The last moments alone are often enough.
  for (const count of [2, 4]) if (mayTry() && await failsToo(moments.slice(-count))) break
  for (let size = Math.ceil(moments.length / 2); mayTry();) {
    const before = moments.length
    for (let from = 0; from < moments.length && mayTry();) {
      if (!await failsToo([...moments.slice(0, from), ...moments.slice(from + size)])) from += size
    }
    if (size === 1 && moments.length === before) break
    size = Math.max(1, Math.min(Math.floor(size / 2), Math.ceil(moments.length / 2)))
  }
  for (let at = 0; at < moments.length; at++) {
    for (const step of moments[at].steps) {
      if (moments[at].steps.length < 2 || !mayTry()) break
      const alone = { ...moments[at], steps: moments[at].steps.filter((other) => other !== step) }
      await failsToo(moments.with(at, alone))
    }
  }
  return { moments, failure }
}

/** @param {Moment[]} moments */
function stepsOf (moments) {
  return moments.reduce((sum, { steps }) => sum + steps.length, 0)
}
