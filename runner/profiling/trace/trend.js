import { median } from '../../judge/index.js'

/**
 * Does a figure keep growing? Pure.
 *
 * The rule: the time is cut into twelve parts, without the first two, in which caches fill and V8 finds
 * its heap's size. In the others the lowest value counts: what a garbage collection leaves. The slope is the
 * median of the slopes of all pairs (Theil, 1950; Sen, 1968). It grows, or shrinks, where Kendall's S of the lows has
 * less than half a percent of probability if their order were chance (Mann, 1945).
 *
 * @import { Span } from './align.js'
 *
 * @typedef {object} Trend
 * @property {number} perSecond
 * @property {'grows' | 'shrinks' | 'neither'} direction
 * @property {number} from the line's value at its start
 * @property {number} to its value at the end
 */

const parts = 12
const leftOut = 2
/** With fewer, no order would be unlikely enough. */
const fewest = 6
const chance = 0.005

/**
 * @param {readonly { atMs: number, value: number }[]} samples
 * @param {Span} span
 * @returns {Trend | null} null: too few samples to say
 */
export function trendOf (samples, { fromMs, toMs }) {
  const partMs = (toMs - fromMs) / parts
  /** @type {{ atMs: number, value: number }[]} */
  const lows = []
  for (let part = leftOut; part < parts; part++) {
    const inside = samples.filter(({ atMs }) => atMs >= fromMs + part * partMs && atMs < fromMs + (part + 1) * partMs)
    if (inside.length > 0) lows.push(inside.reduce((low, sample) => sample.value < low.value ? sample : low))
  }
  if (lows.length < fewest) return null
  const pairs = lows.flatMap((early, at) => lows.slice(at + 1).map((late) => [early, late]))
  const slope = median(pairs.map(([early, late]) => (late.value - early.value) / (late.atMs - early.atMs)))
  const s = pairs.reduce((sum, [early, late]) => sum + Math.sign(late.value - early.value), 0)
  const certain = kendallTail(Math.abs(s), lows.length) < chance
  const offset = median(lows.map(({ atMs, value }) => value - slope * atMs))
  return {
    perSecond: slope * 1000,
    direction: certain && slope > 0 ? 'grows' : certain && slope < 0 ? 'shrinks' : 'neither',
    from: offset + slope * lows[0].atMs,
    to: offset + slope * lows[lows.length - 1].atMs
  }
}

/**
 * Probability that Kendall's S of n different values in random order is at least s: permutations counted by their
 * inversions.
 *
 * @param {number} s
 * @param {number} n
 */
export function kendallTail (s, n) {
  let counts = [1]
  for (let size = 2; size <= n; size++) {
    const longer = new Array(counts.length + size - 1).fill(0)
    for (const [inversions, count] of counts.entries()) {
      for (let more = 0; more < size; more++) longer[inversions + more] += count / size
    }
    counts = longer
  }
  const pairs = n * (n - 1) / 2
  return counts.filter((_, inversions) => pairs - 2 * inversions >= s).reduce((sum, count) => sum + count, 0)
}
