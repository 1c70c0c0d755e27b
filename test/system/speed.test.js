import assert from 'node:assert/strict'
import test from 'node:test'
import { readSeed, sizedSeed } from '../../runner/random.js'
import { stepBelow } from '../../runner/system/speed.js'

test('work is sized in steps, and a step is left only where it is clearly missed', () => {
  const sizes = [[2, 1], [1, 1], [0.94, 1], [0.9, 0.8], [0.75, 0.8], [0.5, 0.5], [0.47, 0.5], [0.1, 0.3]]
  for (const [speed, size] of sizes) assert.equal(stepBelow(speed), size, `${speed}`)
})

test('a seed brings the size of an earlier run along', () => {
  for (const speed of [0.3, 0.8]) {
    assert.deepEqual(readSeed(sizedSeed('b8zm-k62t', speed)), { seed: 'b8zm-k62t', speed })
  }
  assert.equal(sizedSeed('b8zm-k62t', 1), 'b8zm-k62t')
  assert.deepEqual(readSeed('b8zm-k62t@1'), { seed: 'b8zm-k62t', speed: 1 })
  for (const seed of ['b8zm-k62t', 'me@home', '@0.8', 'x@7']) assert.deepEqual(readSeed(seed), { seed, speed: null })
})
