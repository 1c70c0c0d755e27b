import assert from 'node:assert/strict'
import test from 'node:test'
import { forecast, hasTime, timesFor } from '../../../runner/check/rounds.js'

const clock = { elapsedMs: 10_000, cycleMs: 2000, softMs: 20_000, hardMs: 30_000, forecastMs: null }

test('until the soft end every cycle has time', () => {
  assert.equal(hasTime(clock), true)
  assert.equal(hasTime({ ...clock, elapsedMs: 18_000 }), true)
  assert.equal(hasTime({ ...clock, elapsedMs: 18_001 }), false)
})

test('behind it only what is known to be settled before the hard end', () => {
  assert.equal(hasTime({ ...clock, elapsedMs: 19_000, forecastMs: 3000 }), true)
  assert.equal(hasTime({ ...clock, elapsedMs: 19_000, forecastMs: 8800 }), true)
  assert.equal(hasTime({ ...clock, elapsedMs: 19_000, forecastMs: 8801 }), false)
  assert.equal(hasTime({ ...clock, elapsedMs: 28_001, forecastMs: 0 }), false)
})

test('the gates of one load are settled by the same rounds, those of two loads by one after the other', () => {
  const lesson = /** @type {any} */ ({
    gates: [{ name: 'a', load: 'x' }, { name: 'b', load: 'x' }, { name: 'c', load: 'y' }]
  })
  const standing = (/** @type {(number | null)[]} */ ...seconds) => seconds.map((moreSeconds, at) => {
    return { name: 'abc'[at], verdict: /** @type {const} */ ('inconclusive'), moreSeconds }
  })
  assert.equal(forecast(lesson, standing(3, 5, 2)), 7000)
  assert.equal(forecast(lesson, standing(3, null, 2)), null)
  assert.equal(forecast(lesson, [{ name: 'a', verdict: 'pass', moreSeconds: null }, ...standing()]), 0)
})

test('too few rounds to cut an odd one off have time until the hard end', () => {
  assert.equal(hasTime({ ...clock, elapsedMs: 25_000 }), false)
  assert.equal(hasTime({ ...clock, elapsedMs: 25_000, tooFew: true }), true)
  assert.equal(hasTime({ ...clock, elapsedMs: 28_001, tooFew: true }), false)
})

test('a slow machine gets more time, and not without end', () => {
  const [fast, slow, slowest] = [timesFor(1), timesFor(1.5), timesFor(9)]
  assert.ok(slow.wholeMs > fast.wholeMs && slow.extraMs > fast.extraMs)
  assert.deepEqual(timesFor(0.5), fast)
  assert.ok(slowest.wholeMs <= slowest.mostMs)
})
