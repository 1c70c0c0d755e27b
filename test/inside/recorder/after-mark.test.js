import assert from 'node:assert/strict'
import test from 'node:test'
import { afterMark } from '../../../runner/inside/recorder/measure-thread.js'

const profile = {
  nodes: [{ id: 1, hitCount: 2 }, { id: 2, hitCount: 3 }],
  startTime: 1000,
  endTime: 1500,
  samples: [1, 1, 2, 2, 2],
  timeDeltas: [100, 100, 100, 100, 100]
}

test('what was before the mark is left out, and the time of the rest stays', () => {
  const kept = afterMark(profile, 250)
  assert.deepEqual(kept.samples, [2, 2, 2])
  assert.deepEqual(kept.timeDeltas, [50, 100, 100])
  assert.equal(kept.startTime, 1250)
  assert.deepEqual(kept.nodes.map((/** @type {any} */ { hitCount }) => hitCount), [0, 3])
})

test('without a mark, and with one after the end', () => {
  assert.deepEqual(afterMark(profile, 0).samples, profile.samples)
  assert.deepEqual(afterMark(profile, 9999).samples, [])
})
