import assert from 'node:assert/strict'
import test from 'node:test'
import { judgeGate, unchangedGates } from '../../runner/judge/index.js'

/** @param {any} kind @param {number} target @returns {any} */
const gate = (kind, target) => ({ name: kind, kind, load: 'l', target, look: '' })
const machine = { cores: 2 }
const results = (/** @type {any[]} */ gates, baseline = 100, yours = 190) =>
  gates.map((one) => judgeGate(one, machine, [{ baseline, yours, seconds: 1 }]))

test('whatever one round shows, the slow server is as fast as itself', () => {
  const gates = [gate('rate', 2.5), gate('work', 0.75), gate('leak', 120), gate('calls', 0.8)]
  const judged = unchangedGates(gates, machine, results(gates)) ?? []
  assert.deepEqual(judged.map(({ verdict }) => verdict), ['fail', 'inconclusive', 'inconclusive', 'fail'])
  assert.equal(judged[0].ratio, 1)
  assert.ok(Math.abs((judged[0].baseline ?? 0) - Math.sqrt(100 * 190)) < 1e-9)
  assert.equal(judged[0].baseline, judged[0].yours)
})

test('where that alone fails no gate, it has to be measured', () => {
  const gates = [gate('leak', 120), gate('rate', 0.5), gate('degradation', 1.5)]
  assert.equal(unchangedGates(gates, machine, results(gates)), null)
})
