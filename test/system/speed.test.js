import assert from 'node:assert/strict'
import test from 'node:test'
import { paceOf, sizeFor } from '../../runner/process/machine.js'
import { readSeed, sizedSeed } from '../../runner/shared/random.js'

test('work is sized in steps, and a step is left only where it is clearly missed', () => {
  const sizes = [[2, 1], [1, 1], [0.9, 1], [0.8, 0.8], [0.6, 0.8], [0.5, 0.65], [0.33, 0.5], [0.2, 0.4], [0.02, 0.4]]
  for (const [speed, size] of sizes) assert.equal(sizeFor(speed), size, `${speed}`)
})

test('a seed brings the size of an earlier run along', () => {
  for (const speed of [0.3, 0.8]) {
    assert.deepEqual(readSeed(sizedSeed('b8zm-k62t', speed)), { seed: 'b8zm-k62t', speed })
  }
  assert.equal(sizedSeed('b8zm-k62t', 1), 'b8zm-k62t')
  assert.deepEqual(readSeed('b8zm-k62t@1'), { seed: 'b8zm-k62t', speed: 1 })
  for (const seed of ['b8zm-k62t', 'me@home', '@0.8', 'x@7']) assert.deepEqual(readSeed(seed), { seed, speed: null })
})

test('half a core is half as fast, and a second one makes no single thread faster', () => {
  assert.deepEqual([[1, null], [0.5, null], [1, 0.5], [0.5, 0.5], [1, 1.5], [2, null]].map(([speed, limit]) =>
    paceOf(Number(speed), limit)), [1, 2, 2, 4, 1, 1])
})
