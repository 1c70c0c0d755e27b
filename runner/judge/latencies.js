import { countIn, histogramOf, mergeHistograms, timeAt } from './histogram.js'

/**
 * @import { Histogram } from './histogram.js'
 * @import { LatencyFigures, LatencyResult } from './record.js'
 * @import { Role, Round } from './round.js'
 */

/**
 * How long answers took, of both servers, over the rounds that count. Pure.
 *
 * @param {readonly Round[]} rounds
 * @returns {LatencyResult[]} by load, in the order of their first rounds; of a load with a probe also the probe's
 */
export function latenciesOf (rounds) {
  const counted = rounds.filter(({ disturbed }) => !disturbed)
  return [...new Set(counted.map(({ result }) => result.load))].flatMap((load) => {
    const ofLoad = counted.filter(({ result }) => result.load === load)
    const isOpen = ofLoad.some(({ baseline, yours }) =>
      [baseline, yours].some(({ accepted, refused }) => accepted.length + refused.length > 0))
    const both = (/** @type {LatencyResult['of']} */ of, /** @type {(role: Role) => Histogram[]} */ histograms) => {
      const [baseline, yours] = [figuresOf(histograms('baseline')), figuresOf(histograms('yours'))]
      return baseline.count + yours.count === 0 ? [] : [{ load, of, baseline, yours }]
    }
    return [
      ...both(isOpen ? 'accepted' : 'answers', (role) => ofLoad.map((round) => round[role].latencies)),
      ...both('probes', (role) => ofLoad.map((round) => histogramOf(round[role].probes)))
    ]
  })
}

/** @param {readonly Histogram[]} histograms @returns {LatencyFigures} */
function figuresOf (histograms) {
  const all = mergeHistograms(histograms)
  const at = (/** @type {number} */ share) => round(timeAt(all, share))
  const count = countIn(all)
  return {
    count,
    p50: at(0.5),
    p75: at(0.75),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    p999: at(0.999),
    max: count === 0 ? null : round(all.max)
  }
}

/** More digits say nothing here, and these are sent after each round. @param {number | null} ms */
function round (ms) {
  return ms === null ? null : Number(ms.toPrecision(3))
}
