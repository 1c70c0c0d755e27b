import { plan } from './stopping-rule.js'
import { gaussianQuantile, moderate, studentQuantile } from './statistics.js'

/**
 * How far a mean may be from the truth, but for a tail. The layout error is known and not estimated, so it is taken by
 * the Gaussian quantile, and the two are independent.
 *
 * @param {{ error: number, freedom: number }} seen
 * @param {number} perProcessBias
 * @param {number} tail
 * @param {number} spread that is usual; 0: nothing is known of it
 */
export function widthOf (seen, perProcessBias, tail, spread) {
  const both = spread > 0 ? [seen, moderate(seen, { spread, freedom: plan.usualFreedom })] : [seen]
  const noise = Math.min(...both.map(({ error, freedom }) => studentQuantile(tail, freedom) * error))
  return Math.hypot(noise, gaussianQuantile(tail) * perProcessBias)
}
