/**
 * How often a client may ask, as a bucket that fills again (token bucket): many at once after a long silence, then a
 * few each second. Pure.
 *
 * @typedef {{ left: number, at: number }} Allowance at: ms since 1970
 */

/** A whole day without a network is sent at once. */
const most = 200
const perSecond = 2

/**
 * @param {Allowance | undefined} before undefined: never asked
 * @param {number} now ms since 1970
 * @returns {Allowance | null} null: too often
 */
export function takeOne (before, now) {
  const gone = before === undefined ? 0 : Math.max(0, now - before.at) / 1000
  const left = Math.min(most, (before?.left ?? most) + gone * perSecond)
  return left < 1 ? null : { left: left - 1, at: now }
}
