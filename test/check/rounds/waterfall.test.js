import assert from 'node:assert/strict'
import test from 'node:test'
import { barsOf } from '../../../runner/check/round.js'

test('bars count from the first call, in the order in which the calls came', () => {
  const call = (/** @type {string} */ path, /** @type {number} */ startMs, /** @type {number | null} */ endMs) => ({
    method: 'GET',
    path,
    startMs,
    endMs,
    status: 200
  })
  assert.deepEqual(barsOf([call('/a', 1000, 1005), call('/b', 1002, null)]), [
    { path: '/a', startMs: 0, endMs: 5 },
    { path: '/b', startMs: 2, endMs: null }
  ])
})
