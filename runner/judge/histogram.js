/**
 * Times in logarithmic buckets: small enough to be sent after each slice, and sums of them are exact. Pure.
 *
 * @typedef {object} Histogram
 * @property {number[]} counts by bucket: the first holds all up to 0.01 ms, each further one those up to 4.4 % more; no
 *   longer than it has to be
 * @property {number} max ms; 0 where it is empty
 */

const leastMs = 0.01
const perDoubling = 16

/** @param {readonly number[]} values ms @returns {Histogram} */
export function histogramOf (values) {
  /** @type {number[]} */
  const counts = []
  let max = 0
  for (const value of values) {
    const bucket = Math.max(0, Math.ceil(Math.log2(value / leastMs) * perDoubling))
    while (counts.length <= bucket) counts.push(0)
    counts[bucket]++
    max = Math.max(max, value)
  }
  return { counts, max }
}

/** @param {readonly Histogram[]} histograms @returns {Histogram} */
export function mergeHistograms (histograms) {
  /** @type {number[]} */
  const counts = []
  for (const { counts: added } of histograms) {
    added.forEach((count, at) => { counts[at] = (counts[at] ?? 0) + count })
  }
  return { counts, max: Math.max(0, ...histograms.map(({ max }) => max)) }
}

/** @param {Histogram} histogram */
export function countIn ({ counts }) {
  return counts.reduce((sum, count) => sum + count, 0)
}

/**
 * @param {Histogram} histogram
 * @param {number} share 0 to 1
 * @returns {number | null} ms, within 2.2 % (a bucket's middle); null where not one value lies above: too few to tell
 */
export function timeAt ({ counts, max }, share) {
  const total = countIn({ counts, max })
  if (total * (1 - share) < 1 - 1e-9) return null
  let seen = 0
  const bucket = counts.findIndex((count) => (seen += count) >= total * share)
  return Math.min(max, leastMs * 2 ** ((bucket - 0.5) / perDoubling))
}
