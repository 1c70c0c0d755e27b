import assert from 'node:assert/strict'
import test from 'node:test'
import { observe } from '../../runner/judge/gate-kinds.js'
import { judgeGate } from '../../runner/judge/gate.js'

/** @param {object} differences @returns {any} */
const slice = (differences = {}) => ({
  rate: 100,
  answers: 100,
  probes: [],
  accepted: [],
  refused: [],
  degradation: null,
  retained: null,
  footprint: null,
  upstreamCalls: null,
  ...differences
})
/** @param {object} differences @returns {any} */
const gate = (differences) => ({ name: 'g', load: 'l', target: 2, look: 'Where?', ...differences })
const seen = (/** @type {any} */ kind, /** @type {object} */ baseline, /** @type {object} */ yours) =>
  observe(gate(kind), { baseline: slice(baseline), yours: slice(yours), seconds: 1 })
const machine = { cores: 2 }

test('a latency gate looks at the probe, or at the accepted answers of an open loop', () => {
  const before = { probes: [40], accepted: [400] }
  const after = { probes: [4], accepted: [10] }
  assert.deepEqual(seen({ kind: 'latency' }, before, after), { baseline: 40, yours: 4, seconds: 1 })
  assert.deepEqual(seen({ kind: 'latency', of: 'load' }, before, after), { baseline: 400, yours: 10, seconds: 1 })
})

test('the accepted share counts refusals among the arrivals', () => {
  assert.deepEqual(seen({ kind: 'accepted' }, {}, { answers: 30, refused: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }), {
    baseline: 1,
    yours: 0.75,
    seconds: 1
  })
})

test('refusals are judged alone, and a server that refuses no request is not too late', () => {
  const observation = seen({ kind: 'refusal', percentile: 50 }, {}, { refused: [20, 30, 40] })
  assert.deepEqual(observation, { baseline: 0, yours: 30, seconds: 1 })
  assert.equal(seen({ kind: 'refusal' }, {}, {})?.yours, 1)
  const late = Array.from({ length: 5 }, () => ({ baseline: 0, yours: 400, seconds: 1 }))
  const result = judgeGate(gate({ kind: 'refusal', target: 100 }), machine, late)
  assert.equal(result.verdict, 'fail')
  assert.equal(result.ratioUnit, ' ms')
})

test('memory that is not retained counts as the smallest amount that can be told apart', () => {
  assert.deepEqual(seen({ kind: 'retained' }, { retained: 20_000 }, { retained: 0 }), {
    baseline: 20_000,
    yours: 100,
    seconds: 1
  })
  assert.equal(seen({ kind: 'retained' }, { retained: 20_000 }, { retained: null }), null)
})

test('upstream calls count for each answer, and more of them is worse', () => {
  assert.deepEqual(seen({ kind: 'calls' }, { upstreamCalls: 40 }, { upstreamCalls: 100 }), {
    baseline: 0.4,
    yours: 1,
    seconds: 1
  })
  assert.equal(seen({ kind: 'calls' }, {}, {}), null)
  const more = Array.from({ length: 4 }, () => ({ baseline: 0.4, yours: 1, seconds: 1 }))
  assert.equal(judgeGate(gate({ kind: 'calls', target: 1.1 }), machine, more).verdict, 'fail')
  assert.equal(
    judgeGate(
      gate({ kind: 'calls', target: 1.1 }),
      machine,
      more.map((o) => ({ ...o, yours: 0.4 }))
    ).verdict,
    'pass'
  )
})

test('a share is not blurred by the luck of a process: equal shares pass a target close below 1', () => {
  const equal = Array.from({ length: 4 }, () => ({ baseline: 1, yours: 1, seconds: 1 }))
  assert.equal(judgeGate(gate({ kind: 'accepted', target: 0.95 }), machine, equal).verdict, 'pass')
  assert.equal(judgeGate(gate({ kind: 'rate', target: 0.95 }), machine, equal).verdict, 'inconclusive')
})

test('cores are used or waited for, so a single process has one on a busy machine, too', () => {
  const busy = (/** @type {number} */ cores, /** @type {number} */ waiting) =>
    ({ cpuPerRequestMs: cores * (1 - waiting), elapsedMs: 100, conditions: { waiting } })
  const cores = (/** @type {number} */ number, at = 0) =>
    seen({ kind: 'cores' }, busy(1, 0.5), busy(number * (1 + 0.03 * (-1) ** at), 0.3))
  assert.deepEqual(seen({ kind: 'cores' }, busy(1, 0.5), busy(2, 0)), { baseline: 1, yours: 2, seconds: 1 })
  assert.equal(seen({ kind: 'cores' }, busy(1, 0.5), { ...busy(2, 0), conditions: { waiting: null } }), null)

  const verdict = (/** @type {number} */ number) => {
    const rounds = Array.from({ length: 6 }, (_, at) => cores(number, at) ?? assert.fail())
    return judgeGate(gate({ kind: 'cores', target: 1.15 }), machine, rounds).verdict
  }
  assert.deepEqual([1, 1.15, 1.6].map(verdict), ['fail', 'inconclusive', 'pass'])
  const rate = Array.from({ length: 32 }, () => ({ baseline: 100, yours: 100, seconds: 1 }))
  assert.equal(judgeGate(gate({ kind: 'rate', target: 1.15 }), machine, rate).verdict, 'inconclusive')
})

test('a figure that the system does not tell is dropped for that, and not for the number of cores', () => {
  const cores = gate({ kind: 'cores', target: () => undefined, dropped: 'On one core …' })
  assert.equal(judgeGate(cores, { cores: 1 }, []).note, 'On one core …')
  assert.match(judgeGate(cores, { cores: 8, tellsUse: false }, []).note, /doesn’t report/)
})

test('twins that scatter little pass, and twins that scatter much fail, on whichever side they fall', () => {
  const twins = (/** @type {number} */ apart) =>
    Array.from({ length: 8 }, (_, at) => ({ baseline: 100, yours: at % 2 ? 100 * apart : 100 / apart, seconds: 1 }))
  assert.equal(judgeGate(gate({ kind: 'alike', target: 1.2 }), machine, twins(1.04)).verdict, 'pass')
  assert.equal(judgeGate(gate({ kind: 'alike', target: 1.2 }), machine, twins(1.5)).verdict, 'fail')
  const { ratio, interval } = judgeGate(gate({ kind: 'alike', target: 1.2 }), machine, twins(1.1))
  assert.ok(Math.abs(Number(ratio) - 1.1) < 1e-9)
  assert.ok(interval && interval[0] >= 1)
})
