import assert from 'node:assert/strict'
import test from 'node:test'
import { latenciesOf } from '../../runner/judge/judge-rounds.js'
import { histogramOf, mergeHistograms, timeAt } from '../../runner/judge/slice-figures.js'
import { fc } from '../properties.js'

const times = fc.array(fc.double({ min: 0.001, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 300 })

test('a percentile of a histogram is that of the times, within 2.2 %, and never above the largest', () => {
  fc.assert(fc.property(times, fc.constantFrom(0.5, 0.75, 0.9, 0.99), (values, share) => {
    const found = timeAt(histogramOf(values), share)
    if (values.length * (1 - share) < 1 - 1e-9) return found === null
    const sorted = values.toSorted((a, b) => a - b)
    const expected = sorted[Math.ceil(values.length * share) - 1]
    // The first bucket holds all that is quicker than the clock tells.
    return found !== null && found <= sorted[sorted.length - 1] && Math.abs(found - expected) <= 0.022 * expected + 0.01
  }))
})

test('histograms add up to that of all times', () => {
  fc.assert(fc.property(times, times, (some, others) => {
    assert.deepEqual(mergeHistograms([histogramOf(some), histogramOf(others)]), histogramOf([...some, ...others]))
  }))
  assert.deepEqual(mergeHistograms([]), { counts: [], max: 0 })
})

test('too few times tell no percentile', () => {
  const some = (/** @type {number} */ count) => histogramOf(Array(count).fill(5))
  assert.equal(timeAt(some(99), 0.99), null)
  assert.equal(timeAt(some(100), 0.99), timeAt(some(100), 0.5))
  assert.equal(timeAt(some(999), 0.999), null)
  assert.equal(timeAt(some(0), 0.5), null)
})

/** @param {object} differences @returns {any} */
const slice = (differences) => ({ latencies: histogramOf([]), accepted: [], refused: [], probes: [], ...differences })
/** @param {string} load @param {any} baseline @param {any} yours @param {any} [disturbed] @returns {any} */
const round = (load, baseline, yours, disturbed = null) => ({ result: { load }, baseline, yours, disturbed })

test('of each load over the rounds that count: all answers, or those that were accepted, and the probe’s', () => {
  const [slow, fast] = [[8, 8, 8], [1, 1, 1]].map((values) => slice({ latencies: histogramOf(values) }))
  const seen = latenciesOf([
    round('shop', slow, fast),
    round('rush', slice({ latencies: histogramOf([9]), accepted: [9] }), slice({ refused: [2] })),
    round('shop', slow, slice({ latencies: histogramOf([1000]) }), { text: 'stolen' }),
    round('shop', slow, { ...fast, probes: [3] }),
    round('calm', slice({}), slice({}))
  ])
  assert.deepEqual(seen.map(({ load, of }) => [load, of]), [
    ['shop', 'answers'], ['shop', 'probes'], ['rush', 'accepted']
  ])
  const [{ baseline, yours }] = seen
  assert.deepEqual([baseline.count, yours.count, yours.max, yours.p99], [6, 6, 1, null])
  assert.ok(Math.abs(Number(baseline.p50) - 8) < 0.2)
  assert.deepEqual([seen[2].yours.count, seen[2].yours.p50, seen[2].yours.max], [0, null, null])
  assert.deepEqual(latenciesOf([]), [])
})
