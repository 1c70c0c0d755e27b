import assert from 'node:assert/strict'
import test from 'node:test'
import {
  geometricMean,
  mean,
  median,
  moderate,
  quantile,
  standardDeviation,
  studentQuantile,
  studentTail,
  trimmedMean,
  chiSquareQuantile,
  scatterAroundZero
} from '../../runner/judge/statistics.js'
import { fc } from '../properties.js'

const value = fc.double({ min: -1e6, max: 1e6, noNaN: true })
const values = (/** @type {number} */ minLength) => fc.array(value, { minLength, maxLength: 60 })
const close = (/** @type {number} */ a, /** @type {number} */ b, tolerance = 1e-9) =>
  Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b))

test('Student’s t agrees with the printed tables', () => {
  // Abramowitz and Stegun, table 26.10.
  for (const [tail, freedom, t] of [
    [0.025, 5, 2.571],
    [0.01, 3, 4.541],
    [0.005, 20, 2.845],
    [0.05, 1, 6.314],
    [0.001, 10, 4.144],
    [0.0005, 120, 3.373]
  ]) {
    assert.ok(Math.abs(studentQuantile(tail, freedom) - t) < 0.0011, `t(${tail}, ${freedom})`)
  }
})

test('the tail and the quantile of Student’s t undo each other', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-5, max: 0.5, noNaN: true }), fc.integer({ min: 1, max: 200 }), (tail, freedom) =>
      close(studentTail(studentQuantile(tail, freedom), freedom), tail, 1e-8)
    )
  )
})

test('the tail of Student’s t falls with t and is symmetric', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -50, max: 50, noNaN: true }),
      fc.double({ min: 0.001, max: 10, noNaN: true }),
      fc.integer({ min: 1, max: 100 }),
      (t, step, freedom) =>
        studentTail(t + step, freedom) <= studentTail(t, freedom) + 1e-12 &&
        close(studentTail(t, freedom) + studentTail(-t, freedom), 1)
    )
  )
})

test('a quantile lies between the smallest and the largest value and grows with p', () => {
  fc.assert(
    fc.property(
      values(1),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (list, p, q) => {
        const [low, high] = [quantile(list, Math.min(p, q)), quantile(list, Math.max(p, q))]
        return low >= Math.min(...list) - 1e-9 && high <= Math.max(...list) + 1e-9 && low <= high + 1e-6
      }
    )
  )
  assert.equal(median([4, 1, 3, 2]), 2.5)
})

test('the order of the values does not matter, and none of them is changed', () => {
  fc.assert(fc.property(values(4), (list) => {
    const before = [...list]
    const backwards = [...list].reverse()
    assert.ok(close(trimmedMean(list, 1).centre, trimmedMean(backwards, 1).centre, 1e-6))
    assert.equal(median(list), median(backwards))
    assert.deepEqual(list, before)
  }))
})

test('the geometric means of two lists divide to that of their quotients', () => {
  assert.ok(close(geometricMean([1, 4, 16]), 4))
  const positive = fc.double({ min: 1e-3, max: 1e6, noNaN: true })
  /** @type {((pair: [number, number]) => number)[]} */
  const parts = [([a]) => a, ([, b]) => b, ([a, b]) => a / b]
  fc.assert(fc.property(fc.array(fc.tuple(positive, positive), { minLength: 1, maxLength: 30 }), (pairs) => {
    const [a, b, quotients] = parts.map((of) => geometricMean(pairs.map(of)))
    assert.ok(close(a / b / quotients, 1))
  }))
})

test('without trimming it is the mean and its standard error', () => {
  fc.assert(fc.property(values(2), (list) => {
    const { centre, error, freedom } = trimmedMean(list, 0)
    assert.ok(close(centre, mean(list), 1e-6))
    assert.ok(close(error, standardDeviation(list) / Math.sqrt(list.length), 1e-6))
    assert.equal(freedom, list.length - 1)
  }))
})

test('one wild value cannot drag the trimmed mean out of the range of the others', () => {
  fc.assert(
    fc.property(values(5), fc.double({ min: 1e7, max: 1e12, noNaN: true }), fc.boolean(), (list, wild, negative) => {
      const { centre, error } = trimmedMean([...list, negative ? -wild : wild], 1)
      return centre >= Math.min(...list) - 1e-6 && centre <= Math.max(...list) + 1e-6 && Number.isFinite(error)
    })
  )
})

test('too few values to trim are refused with both numbers', () => {
  assert.throws(() => trimmedMean([1, 2, 3], 1), /at least 4 values to trim 1 at each end, got 3/)
})

test('chi-squared agrees with the printed tables', () => {
  for (const [p, freedom, expected] of [
    [0.95, 1, 3.841],
    [0.05, 4, 0.711],
    [0.99, 8, 20.09],
    [0.01, 8, 1.646],
    [0.5, 10, 9.342]
  ]) {
    assert.ok(
      Math.abs(chiSquareQuantile(p, freedom) - expected) < 0.001,
      `${p} ${freedom}: ${chiSquareQuantile(p, freedom)}`
    )
  }
})

test('scatter around zero is the root mean square, between bounds that close in with more values', () => {
  const four = scatterAroundZero([0.1, -0.1, 0.1, -0.1], 0.003)
  assert.ok(Math.abs(four.centre - 0.1) < 1e-12)
  assert.ok(four.low < 0.1 && four.high > 0.1)
  const many = scatterAroundZero(Array.from({ length: 20 }, (_, at) => at % 2 ? 0.1 : -0.1), 0.003)
  assert.ok(many.low > four.low && many.high < four.high)
  assert.equal(scatterAroundZero([0, 0, 0], 0.01).high, 0)
})

test('a standard error is drawn towards what is usual, never below what was seen, and is known better for it', () => {
  const usual = { spread: 0.3, freedom: 4 }
  // Four values: their mean has half of the spread.
  const calm = moderate({ error: 0.05, freedom: 3 }, usual)
  assert.ok(close(calm.error, Math.sqrt((4 * 0.15 ** 2 + 3 * 0.05 ** 2) / 7), 1e-12))
  assert.equal(calm.freedom, 7)
  assert.deepEqual(moderate({ error: 0.4, freedom: 3 }, usual), { error: 0.4, freedom: 7 })
})
