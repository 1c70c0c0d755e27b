import { quantile } from './statistics.js'

/**
 * What one round says about one gate; null when it says nothing. Pure.
 *
 * @param {import('../catalogue/lesson.js').Gate} gate
 * @param {{ baseline: import('./slice.js').Slice, yours: import('./slice.js').Slice, seconds: number }} round
 * @returns {import('./gate.js').Observation | null}
 */
export function observe (gate, { baseline, yours, seconds }) {
  const figure = (/** @type {import('./slice.js').Slice} */ slice) => figureOf(gate, slice)
  const [theirs, ours] = [figure(baseline), figure(yours)]
  if (theirs === null || ours === null || !(theirs > 0) || !(ours > 0)) return null
  return { baseline: theirs, yours: ours, seconds }
}

/** @param {import('../catalogue/lesson.js').Gate} gate @param {import('./slice.js').Slice} slice */
function figureOf (gate, slice) {
  switch (gate.kind) {
    case 'rate': return slice.rate
    case 'latency': return slice.probes.length > 0 ? quantile(slice.probes, (gate.percentile ?? 99) / 100) : null
    case 'degradation': return slice.degradation
  }
}
