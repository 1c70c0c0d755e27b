import assert from 'node:assert/strict'
import test from 'node:test'
import { courseAfter } from '../../runner/judge/judge-rounds.js'

/** @type {ReturnType<typeof courseAfter>} */
const none = []
/** @param {[number, number | null, [number, number] | null][]} standings number of the round, ratio, interval */
const after = (standings) =>
  standings.reduce((course, [round, ratio, interval95]) => courseAfter(course, round, { ratio, interval95 }), none)

test('a gate’s state after each round that changed it', () => {
  assert.deepEqual(after([[1, null, null], [2, 4, null], [3, 5, [3, 8]], [4, 5, [3, 8]], [6, 5.1234567, [4, 6]]]), [
    { round: 2, ratio: 4, interval95: null },
    { round: 3, ratio: 5, interval95: [3, 8] },
    { round: 6, ratio: 5.1235, interval95: [4, 6] }
  ])
})

test('asked again after the same round, the later answer counts', () => {
  assert.deepEqual(after([[1, 2, null], [2, 3, null], [2, 4, [3, 5]], [2, 4, [3, 5]]]), [
    { round: 1, ratio: 2, interval95: null },
    { round: 2, ratio: 4, interval95: [3, 5] }
  ])
})
