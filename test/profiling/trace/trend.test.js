import assert from 'node:assert/strict'
import test from 'node:test'
import { kendallTail, trendOf } from '../../../runner/profiling/trace/over-time.js'

const span = { fromMs: 0, toMs: 6000 }
/** @param {(atMs: number) => number} valueAt */
const samples = (valueAt) => Array.from({ length: 120 }, (_, at) => ({ atMs: at * 50, value: valueAt(at * 50) }))

test('a steady rise grows, by its slope', () => {
  const trend = trendOf(samples((ms) => 1000 + ms * 2), span)
  assert.equal(trend?.direction, 'grows')
  assert.ok(Math.abs(trend.perSecond - 2000) < 1e-6)
})

test('a steady fall shrinks', () => {
  assert.equal(trendOf(samples((ms) => -ms), span)?.direction, 'shrinks')
})

test('saw teeth that come down to the same value do not grow', () => {
  assert.equal(trendOf(samples((ms) => 100 + ms % 300), span)?.direction, 'neither')
})

test('saw teeth on a rising ground grow as the ground does', () => {
  const trend = trendOf(samples((ms) => 100 + ms % 250 + ms * 0.1), span)
  assert.equal(trend?.direction, 'grows')
  assert.ok(Math.abs(trend.perSecond - 100) < 20, String(trend.perSecond))
})

test('what fills up at the beginning and then stays does not grow', () => {
  assert.equal(trendOf(samples((ms) => Math.min(ms, 900)), span)?.direction, 'neither')
})

test('a step in the middle is no steady growth', () => {
  assert.equal(trendOf(samples((ms) => ms < 3000 ? 1 : 2), span)?.direction, 'neither')
})

test('too few samples have no trend', () => {
  assert.equal(trendOf([{ atMs: 2000, value: 1 }, { atMs: 4000, value: 2 }], span), null)
})

test('Kendall’s tail is as in the tables', () => {
  assert.ok(Math.abs(kendallTail(6, 4) - 1 / 24) < 1e-12)
  assert.ok(Math.abs(kendallTail(4, 4) - 4 / 24) < 1e-12)
  assert.ok(Math.abs(kendallTail(-6, 4) - 1) < 1e-12)
  // Kendall, Rank Correlation Methods: n = 10, S = 27.
  assert.ok(Math.abs(kendallTail(27, 10) - 0.0083) < 5e-5, String(kendallTail(27, 10)))
})
