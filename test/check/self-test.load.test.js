import assert from 'node:assert/strict'
import test from 'node:test'
import { runSelfTest } from '../../runner/check/index.js'

test('the self-test measures two servers whose ratio is known', async () => {
  const { ratios, seconds, problem } = await runSelfTest({ ratio: 20, budgetMs: 1 })
  assert.equal(problem, null)
  assert.ok(ratios.length >= 1)
  assert.ok(seconds > 0)
  // No figure of a busy machine is certain, but twentyfold work is never quicker.
  assert.ok(ratios.every((ratio) => ratio > 1), ratios.join(', '))
})
