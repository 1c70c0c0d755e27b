import assert from 'node:assert/strict'
import test from 'node:test'
import { gateKinds } from '../../runner/judge/gate-kinds.js'
import { judgeGate, plan, sayMeasured } from '../../runner/judge/gate.js'
import { fc } from '../properties.js'

/** @import { Gate, GateKind, Kind } from '../../runner/judge/index.js' */

const entriesOfKinds = /** @type {[GateKind, Kind][]} */ (Object.entries(gateKinds))
/** @type {Gate} */
const rate = { name: 'movies', kind: 'rate', load: 'list', target: 4, look: 'Where?' }
const machine = { cores: 2 }
/** Rounds with these ratios. @param {number[]} ratios */
const rounds = (ratios) => ratios.map((ratio) => ({ baseline: 100, yours: 100 * ratio, seconds: 0.5 }))

test('a fix far above the target passes at the first interim analysis', () => {
  const gate = judgeGate(rate, machine, rounds([9.5, 10, 10.2, 9.8]))
  assert.equal(gate.verdict, 'pass')
  assert.ok(gate.interval && gate.interval[0] > 4)
})

test('nothing is decided between the looks, however clear it is', () => {
  assert.equal(judgeGate(rate, machine, rounds([9.5, 10])).verdict, 'inconclusive')
  assert.equal(
    judgeGate(rate, machine, rounds(Array.from({ length: 9 }, (_, i) => 10 + i / 10))).verdict,
    'inconclusive'
  )
  assert.equal(
    judgeGate(rate, machine, rounds(Array.from({ length: 9 }, (_, i) => 10 + i / 10)), { last: true }).verdict,
    'pass'
  )
})

test('a fix exactly at the target is never passed on the strength of rounds that agree by luck', () => {
  assert.equal(judgeGate(rate, machine, rounds([4.01, 4.01, 4.01, 4.01])).verdict, 'inconclusive')
})

test('a round in which the machine stalled does not turn the verdict', () => {
  const gate = judgeGate(rate, machine, rounds([10, 9.8, 10.3, 0.4, 9.9, 10.1, 10.4, 9.7]))
  assert.equal(gate.verdict, 'pass')
})

test('an undecided gate says how long it would take, or that no time would do', () => {
  const unsettled = judgeGate(rate, machine, rounds([5, 9, 4.5, 7, 5, 8, 4.2, 6]), { last: true })
  assert.equal(unsettled.verdict, 'inconclusive')
  assert.ok(Number(unsettled.moreSeconds) > 0)
  const hopeless = judgeGate(rate, machine, rounds([4, 4.1, 3.9, 4, 4.05, 3.95, 4, 4]), { last: true })
  assert.equal(hopeless.moreSeconds, null)
})

test('a latency gate counts how much lower yours is', () => {
  const gate = judgeGate(
    { ...rate, kind: 'latency', target: 10 },
    machine,
    Array.from({ length: 5 }, (_, i) => ({ baseline: 500 + i, yours: 10, seconds: 1 }))
  )
  assert.equal(gate.verdict, 'pass')
  assert.equal(gate.unit, 'ms')
  assert.ok(Math.abs(Number(gate.ratio) - 50) < 1)
})

test('a degradation gate looks at yours alone and wants it small', () => {
  /** @type {Gate} */
  const gate = { ...rate, kind: 'degradation', target: 1.5 }
  const observe = (/** @type {number} */ yours) =>
    Array.from({ length: 6 }, (_, i) => ({ baseline: 9, yours: yours + i / 100, seconds: 1 }))
  assert.equal(judgeGate(gate, machine, observe(1)).verdict, 'pass')
  assert.equal(judgeGate(gate, machine, observe(4)).verdict, 'fail')
})

test('a target that follows the machine can drop the gate, and says why', () => {
  /** @type {Gate} */
  const gate = {
    ...rate,
    target: ({ cores }) => cores > 1 ? 1.2 : undefined,
    dropped: 'One core cannot do two things at once.'
  }
  const dropped = judgeGate(gate, { cores: 1 }, [])
  assert.equal(dropped.verdict, 'dropped')
  assert.equal(dropped.note, 'One core cannot do two things at once.')
  assert.equal(judgeGate(gate, { cores: 2 }, []).target, 1.2)
})

test('without rounds nothing is claimed', () => {
  const gate = judgeGate(rate, machine, [])
  assert.deepEqual(
    [gate.verdict, gate.ratio, gate.interval95, gate.interval, gate.baseline],
    ['not measured', null, null, null, null]
  )
})

test('the interval of 95 % is that of a trimmed mean', () => {
  // ln ratios 1.0 to 1.3: mean 1.15, standard error 0.0645, and 5 % of layout; t(0.025, 3) = 3.182, z(0.025) = 1.96.
  const { interval95 } = judgeGate(rate, machine, rounds([1, 1.1, 1.2, 1.3].map(Math.exp)))
  const wide = Math.hypot(3.182 * 0.06455, 1.96 * 0.05)
  const [low, high] = interval95 ?? assert.fail()
  assert.ok(Math.abs(Math.log(low) - (1.15 - wide)) < 1e-3 && Math.abs(Math.log(high) - (1.15 + wide)) < 1e-3)
})

const ratios = fc.array(fc.double({ min: 0.05, max: 500, noNaN: true }), { minLength: 3, maxLength: 40 })

test('the ratio lies within its interval, and pass and fail agree with it', () => {
  fc.assert(fc.property(ratios, (list) => {
    const { interval, ratio, verdict } = judgeGate(rate, machine, rounds(list))
    const [low, high] = interval ?? assert.fail()
    assert.ok(low <= Number(ratio) && Number(ratio) <= high)
    if (verdict === 'pass') assert.ok(low > 4)
    if (verdict === 'fail') assert.ok(high < 4)
    if (!plan.interimAnalyses.includes(list.length)) assert.equal(verdict, 'inconclusive')
  }))
})

test('the interval of 95 % lies within the one that decides, around the ratio', () => {
  fc.assert(fc.property(ratios, (list) => {
    const { interval, interval95, ratio } = judgeGate(rate, machine, rounds(list))
    const [low, high] = interval ?? assert.fail()
    const [shownLow, shownHigh] = interval95 ?? assert.fail()
    assert.ok(low <= shownLow && shownLow <= Number(ratio) && Number(ratio) <= shownHigh && shownHigh <= high)
  }))
})

const observations = fc.array(
  fc.record({
    baseline: fc.double({ min: 0.1, max: 1e5, noNaN: true }),
    yours: fc.double({ min: 0.1, max: 1e5, noNaN: true }),
    seconds: fc.constant(1)
  }),
  { minLength: 1, maxLength: 40 }
)

test('the figures shown divide to the ratio next to them, for every kind', () => {
  const close = (/** @type {number} */ a, /** @type {number} */ b) => Math.abs(a / b - 1) < 1e-9
  fc.assert(fc.property(observations, (list) => {
    for (const [kind, { ratio: of, scatter, unit }] of entriesOfKinds) {
      if (scatter) continue
      const { baseline, yours, ratio } = judgeGate({ ...rate, kind }, machine, list)
      const divided = of({ baseline: Number(baseline), yours: Number(yours), seconds: 1 })
      assert.ok(close(divided, Number(ratio)), `${kind} in ${unit}: ${baseline} and ${yours} for ${ratio}`)
    }
  }))
})

test('a kind that is judged alone needs no baseline', () => {
  const list = [20, 21, 19, 20].map((yours) => ({ baseline: 0, yours, seconds: 1 }))
  const { baseline, yours, ratio } = judgeGate({ ...rate, kind: 'refusal', target: 100 }, machine, list)
  assert.equal(baseline, null)
  assert.equal(yours, ratio)
})

test('a fix that is faster in every round is never judged worse', () => {
  const rank = { fail: 0, inconclusive: 1, pass: 2, dropped: 1, 'not measured': 1 }
  fc.assert(fc.property(ratios, fc.double({ min: 1, max: 10, noNaN: true }), (list, factor) => {
    const slow = judgeGate(rate, machine, rounds(list))
    const fast = judgeGate(rate, machine, rounds(list.map((ratio) => ratio * factor)))
    assert.ok(rank[fast.verdict] >= rank[slow.verdict])
  }))
})

test('half-way is told once it’s reached and the target isn’t, and decides nothing', () => {
  const judge = (/** @type {number[]} */ ratios, /** @type {Partial<Gate>} */ gate = {}) =>
    judgeGate({ ...rate, halfway: 2, ...gate }, machine, rounds(ratios))
  const there = judge([2.6, 2.7, 2.65, 2.6])
  assert.equal(there.verdict, 'fail')
  assert.deepEqual(there.halfway, { target: 2, reached: true })
  assert.match(sayMeasured(there), /; the target is 4×; half-way reached \(2×\)$/)
  const before = judge([1.2, 1.3, 1.25, 1.2])
  assert.deepEqual([before.verdict, before.halfway?.reached], ['fail', false])
  assert.doesNotMatch(sayMeasured(before), /half-way/)
  const beyond = judge([9.5, 10, 10.2, 9.8])
  assert.deepEqual([beyond.verdict, beyond.halfway?.reached], ['pass', true])
  assert.doesNotMatch(sayMeasured(beyond), /half-way/)
  const down = judge([0.02, 0.021, 0.0205, 0.02], { kind: 'degradation', target: 1.5, halfway: 5 })
  assert.deepEqual([down.verdict, down.halfway?.reached], ['fail', true])
  assert.equal('halfway' in judgeGate(rate, machine, rounds([2.6, 2.7, 2.65, 2.6])), false)
})
