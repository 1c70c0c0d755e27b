import assert from 'node:assert/strict'
import test from 'node:test'
import { judgeRehearsal, leastMarginOf, marginOf } from '../../../classroom/commands/rehearse.js'
import { failed, gate, inconclusive, passed, stopped } from '../../report/records.js'

test('the margin is the ratio over its target, inverted where less is better', () => {
  assert.equal(marginOf(gate({ ratio: 6 }), 4), 1.5)
  assert.equal(marginOf(gate({ ratio: 1, direction: 'at most' }), 1.5), 1.5)
  assert.ok(Number.isNaN(marginOf(gate({ ratio: null }), 4)))
})

test('of a share and of twins it is the distance from the ideal', () => {
  assert.equal(marginOf(gate({ kind: 'accepted', ratio: 0.75 }), 0.5), 2)
  assert.equal(marginOf(gate({ kind: 'alike', ratio: 1.125, direction: 'at most' }), 1.25), 2)
  assert.ok(marginOf(gate({ kind: 'accepted', ratio: 1 }), 0.95) > 10)
})

test('the least margin of a check is that of its tightest gate, with what is certain of it', () => {
  const steady = gate({ name: 'steady', direction: 'at most', target: 1.5, ratio: 1, interval: [0.75, 1.25] })
  const gates = [gate({ ratio: 8, target: 4 }), steady]
  const least = leastMarginOf({ gates })
  assert.deepEqual([least?.gate.name, least?.margin, least?.certain], ['steady', 1.5, 1.2])
  const unmeasured = { ...gate({}), target: null, ratio: null }
  assert.equal(leastMarginOf({ gates: [unmeasured] }), null)
})

test('a reference well above its targets has margin, however near its certain end is', () => {
  const record = { ...passed(), gates: [gate({ ratio: 6, target: 4, interval: [4.01, 9] })] }
  assert.equal(judgeRehearsal([record]).lack, null)
})

test('within a fifth of the target there’s no answer', () => {
  const at = (/** @type {number} */ ratio) =>
    ({ ...passed(), gates: [gate({ ratio, target: 4, interval: [4.01, 9] })] })
  assert.match(judgeRehearsal([at(4.79)]).lack ?? '', /^its reference solution passes with little margin\. movies: /)
  assert.equal(judgeRehearsal([at(4.81)]).lack, null)
})

test('neither where it did not pass, or not at once', () => {
  assert.match(judgeRehearsal([failed(), failed()]).lack ?? '', /doesn’t pass here\. The gate conditional/)
  assert.match(judgeRehearsal([inconclusive(), inconclusive()]).lack ?? '', /unclear here/)
  assert.match(judgeRehearsal([stopped()]).lack ?? '', /couldn’t be completed\. The slow server fails/)
  assert.match(judgeRehearsal([inconclusive(), passed()]).lack ?? '', /in only one of 2 checks/)
})
