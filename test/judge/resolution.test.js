import assert from 'node:assert/strict'
import test from 'node:test'
import { createRandom } from '../../runner/random.js'
import { judgeGate, resolutionOf } from '../../runner/judge/index.js'

test('more rounds and less noise tell smaller differences apart', () => {
  const of = (/** @type {number} */ spread, /** @type {number} */ rounds) => Number(resolutionOf({ spread, rounds }))
  assert.ok(of(0.1, 20) < of(0.2, 20))
  assert.ok(of(0.1, 20) < of(0.1, 8))
  assert.ok(of(0.05, 32) > 1)
})

test('rounds between two interim analyses and beyond the last one bring nothing', () => {
  assert.equal(resolutionOf({ spread: 0.1, rounds: 19 }), resolutionOf({ spread: 0.1, rounds: 16 }))
  assert.equal(resolutionOf({ spread: 0.1, rounds: 500 }), resolutionOf({ spread: 0.1, rounds: 32 }))
})

test('fewer rounds than the first interim analysis needs decide nothing', () => {
  assert.equal(resolutionOf({ spread: 0.1, rounds: 2 }), null)
})

test('it keeps its word: the judge settles that ratio at the last round, nearly always', () => {
  const random = createRandom('resolution')
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  for (const [spread, rounds] of [[0.1, 12], [0.25, 20], [0.4, 32]]) {
    const ratio = resolutionOf({ spread, rounds }) ?? assert.fail()
    let settled = 0
    for (let i = 0; i < 300; i++) {
      const observations = Array.from({ length: rounds }, () => ({
        baseline: 1,
        yours: ratio * Math.exp(spread * normal()),
        seconds: 1
      }))
      const { verdict } = judgeGate(
        { name: 'gate', kind: 'rate', load: 'load', target: 1, look: '' },
        { cores: 2 },
        observations,
        { last: true }
      )
      if (verdict === 'pass') settled++
    }
    assert.ok(settled >= 282, `${settled} of 300 at ${ratio.toFixed(2)}×, spread ${spread}, ${rounds} rounds`)
  }
})
