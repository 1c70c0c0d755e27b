import assert from 'node:assert/strict'
import test from 'node:test'
import { runSelfTest } from '../../runner/check/self-test/self-test.js'

test('the self-test measures two identical servers', async () => {
  const { ratios, problem } = await runSelfTest({ budgetMs: 1 })
  assert.equal(problem, null)
  assert.ok(ratios.length >= 1)
  assert.ok(ratios.every((ratio) => ratio > 0), ratios.join(', '))
})
