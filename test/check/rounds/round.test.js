import assert from 'node:assert/strict'
import test from 'node:test'
import { sliceMsOf } from '../../../runner/check/round.js'

test('a slice of an open loop is as much longer as the machine is slower', () => {
  const open = { isOpen: true, pace: 1, limit: null }
  assert.equal(sliceMsOf(500, open), 500)
  assert.equal(sliceMsOf(500, { ...open, pace: 2.25 }), 1125)
  assert.equal(sliceMsOf(500, { ...open, pace: 2.25, limit: 0.9 }), 1125)
  assert.equal(sliceMsOf(500, { ...open, pace: 9, limit: 0.5 }), 1250, 'within reason')
})

test('a slice of a closed loop is long enough for the pauses of a quota', () => {
  const closed = { isOpen: false, pace: 2, limit: null }
  assert.equal(sliceMsOf(200, closed), 200)
  assert.equal(sliceMsOf(200, { ...closed, limit: 1.5 }), 400)
  assert.equal(sliceMsOf(500, { ...closed, limit: 1.5 }), 500)
})
