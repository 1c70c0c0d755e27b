import { mostRounds, plan, trimOf } from './stopping-rule.js'
import { widthOf } from './interval-width.js'

/**
 * What a machine can tell apart: the smallest ratio between the truth and a gate's target at which a check of so many
 * rounds still decides, 49 times out of 50. Pure.
 *
 * It decides when the estimate is further from the target than √((t·s)²/n + (z·layout)²); the estimate itself scatters
 * by about s/√n around the truth, of which two are added (the one-sided tail of 2 % of a Gaussian).
 *
 * @param {object} seen
 * @param {number} seen.spread s, the standard deviation of one round's log ratio
 * @param {number} seen.rounds n, as many as a check has time for
 * @returns {number | null} a ratio > 1; null where so few rounds decide nothing
 */
export function resolutionOf ({ spread, rounds }) {
  const n = Math.max(0, ...plan.interimAnalyses.filter((look) => look <= Math.min(rounds, mostRounds)))
  if (n === 0) return null
  const kept = n - 2 * trimOf(n)
  const seen = { error: spread / Math.sqrt(kept), freedom: kept - 1 }
  return Math.exp(widthOf(seen, plan.perProcessBias, plan.tail, 0) + 2 * seen.error)
}
