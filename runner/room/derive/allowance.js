/**
 * How often something may be done, as a token bucket: many at once after a long silence, then
 * a few each second. Pure.
 *
 * @typedef {{ left: number, at: number }} Allowance at: ms since 1970
 * @typedef {{ most: number, perSecond: number }} Rate
 *
 * @param {Allowance | undefined} before undefined: never done
 * @param {number} now ms since 1970
 * @param {Rate} rate
 * @returns {Allowance | null} null: too often
 */
export function takeOne (before, now, { most, perSecond }) {
  const gone = before === undefined ? 0 : Math.max(0, now - before.at) / 1000
  const left = Math.min(most, (before?.left ?? most) + gone * perSecond)
  return left < 1 ? null : { left: left - 1, at: now }
}
