import assert from 'node:assert/strict'
import test from 'node:test'
import { createClock } from '../../runner/load/open-loop.js'

test('time in which the system stopped everything does not count', () => {
  let at = 0
  const clock = createClock({ isLimited: true, read: () => at })
  clock.stop()
  const times = [5, 12, 80, 85, 160].map((now) => {
    at = now
    return clock.now()
  })
  assert.deepEqual(times, [5, 12, 14, 19, 21])
})

test('without a limit it is the system’s clock', () => {
  let at = 0
  const clock = createClock({ isLimited: false, read: () => at })
  at = 500
  assert.equal(clock.now(), 500)
  clock.stop()
})
