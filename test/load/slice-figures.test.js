import assert from 'node:assert/strict'
import test from 'node:test'
import { sliceFigures } from '../../runner/load/generator.js'
import { fc } from '../properties.js'

const steady = (/** @type {number} */ count, /** @type {number} */ everyMs, startedAt = 0) =>
  Array.from({ length: count }, (_, i) => startedAt + (i + 1) * everyMs)

test('a steady server’s rate is what it is', () => {
  const { rate, elapsedMs, answers } = sliceFigures({
    startedAt: 1000,
    receivedAt: steady(50, 4, 1000),
    latencies: steady(50, 0).map(() => 8),
    connections: 2
  })
  assert.deepEqual([rate, elapsedMs, answers], [250, 200, 50])
})

test('answers in bursts are not given the first burst for free', () => {
  // Ten answers every 100 ms are 100 a second.
  const receivedAt = Array.from({ length: 40 }, (_, i) => 100 * (Math.floor(i / 10) + 1))
  assert.equal(sliceFigures({ startedAt: 0, receivedAt, latencies: receivedAt, connections: 10 }).rate, 100)
})

test('a server that slows down shows it in its thirds', () => {
  const receivedAt = Array.from({ length: 300 }, (_, i) => (i + 1) ** 2 / 100)
  const { degradation } = sliceFigures({ startedAt: 0, receivedAt, latencies: receivedAt, connections: 10 })
  assert.ok(Math.abs(/** @type {number} */ (degradation) - 5) < 0.05)
  const even = sliceFigures({ startedAt: 0, receivedAt: steady(300, 2), latencies: [1], connections: 10 })
  assert.ok(Math.abs(/** @type {number} */ (even.degradation) - 1) < 1e-9)
})

test('too few answers for thirds or for Little’s law say nothing', () => {
  const figures = sliceFigures({ startedAt: 0, receivedAt: steady(10, 2), latencies: [2], connections: 4 })
  assert.deepEqual([figures.degradation, figures.littlesLaw], [null, null])
  assert.equal(sliceFigures({ startedAt: 0, receivedAt: [], latencies: [], connections: 4 }).rate, 0)
})

test('Little’s law holds for a generator that keeps its connections busy, and not for one that does not', () => {
  const busy = sliceFigures({ startedAt: 0, receivedAt: steady(400, 1), latencies: Array(400).fill(8), connections: 8 })
  assert.ok(Math.abs(/** @type {number} */ (busy.littlesLaw) - 1) < 1e-9)
  const lazy = sliceFigures({ startedAt: 0, receivedAt: steady(400, 2), latencies: Array(400).fill(8), connections: 8 })
  assert.ok(Math.abs(/** @type {number} */ (lazy.littlesLaw) - 0.5) < 1e-9)
})

test('a rate does not depend on when the slice began', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.01, max: 50, noNaN: true }), { minLength: 1, maxLength: 100 }),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
      (gaps, start) => {
        const at = (/** @type {number} */ from) =>
          gaps.reduce((/** @type {number[]} */ times, gap) => [...times, (times.at(-1) ?? from) + gap], [])
        const a = sliceFigures({ startedAt: 0, receivedAt: at(0), latencies: gaps, connections: 1 })
        const b = sliceFigures({ startedAt: start, receivedAt: at(start), latencies: gaps, connections: 1 })
        return Math.abs(a.rate - b.rate) / a.rate < 1e-4
      }
    )
  )
})
