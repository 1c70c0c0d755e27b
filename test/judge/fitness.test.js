import assert from 'node:assert/strict'
import test from 'node:test'
import { judgeRounds, saturatedSide } from '../../runner/judge/judge-rounds.js'

const calm = { waiting: 0, steal: 0, idleServer: 0 }
/** @param {object} [differences] @returns {any} */
const slice = (differences = {}) => ({
  rate: 100,
  answers: 100,
  busy: 0.2,
  littlesLaw: 1,
  probes: [],
  probeLateMs: 0,
  accepted: [],
  refused: [],
  lateMs: 0,
  cpuPerRequestMs: 1,
  conditions: calm,
  ...differences
})
/** @param {string} kind @returns {any} */
const gate = (kind, more = {}) => ({ name: 'g', kind, load: 'l', target: 2, look: '', ...more })
/** @param {any} baseline @param {any} yours @returns {any[]} */
const rounds = (baseline, yours) => Array.from({ length: 6 }, () => {
  return { baseline, yours, seconds: 1, disturbed: null, result: { load: 'l' } }
})

test('a rate rests on the generator’s loop and on Little’s law, and not on its probes', () => {
  assert.equal(saturatedSide(gate('rate'), rounds(slice(), slice())), null)
  assert.equal(saturatedSide(gate('rate'), rounds(slice(), slice({ busy: 0.9 }))), 'yours')
  assert.equal(saturatedSide(gate('rate'), rounds(slice({ littlesLaw: 0.7 }), slice())), 'baseline')
  assert.equal(saturatedSide(gate('rate'), rounds(slice(), slice({ probes: [1, 1], probeLateMs: 50 }))), null)
})

test('a latency rests on probes that were sent in time, compared with the figure that decides', () => {
  const slow = slice({ probes: [200, 210, 220], probeLateMs: 20 })
  const fast = slice({ probes: [4, 5, 6], probeLateMs: 20 })
  assert.equal(saturatedSide(gate('latency'), rounds(slow, slow)), null)
  assert.equal(saturatedSide(gate('latency'), rounds(slow, fast)), 'yours')
  assert.equal(saturatedSide(gate('latency'), rounds(slow, slice({ probes: [5], busy: 0.95 }))), 'yours')
})

test('a late burst can lower a share, but not one of which nothing was refused', () => {
  const late = { elapsedMs: 300, accepted: [4, 5, 6], lateMs: 20 }
  const all = slice(late)
  const some = slice({ ...late, refused: [1] })
  assert.equal(saturatedSide(gate('accepted'), rounds(all, all)), null)
  assert.equal(saturatedSide(gate('accepted'), rounds(all, some)), 'yours')
  assert.equal(saturatedSide(gate('accepted'), rounds(some, all)), 'baseline')
  const tooFew = slice({ ...late, lateMs: 100 })
  assert.equal(saturatedSide(gate('accepted'), rounds(tooFew, tooFew)), 'both', 'the arrivals came too slowly')
})

test('CPU time, memory and upstream calls never depend on the generator', () => {
  const bad = slice({ busy: 1, littlesLaw: 0.2, probes: [1], probeLateMs: 90, upstreamCalls: 100 })
  for (const kind of ['work', 'cores', 'calls', 'retained', 'leak', 'level', 'footprint']) {
    assert.equal(saturatedSide(gate(kind), rounds(bad, bad)), null, kind)
  }
})

test('an saturated generator on yours cannot fail it, and one on the baseline cannot pass it', () => {
  const judge = (/** @type {any} */ baseline, /** @type {any} */ yours) =>
    judgeRounds(gate('rate'), { cores: 2 }, rounds(baseline, yours)).verdict
  assert.equal(judge(slice(), slice()), 'fail')
  assert.equal(judge(slice(), slice({ busy: 0.9 })), 'inconclusive')
  assert.equal(judge(slice({ busy: 0.9 }), slice()), 'fail')
  assert.equal(judge(slice(), slice({ rate: 900 })), 'pass')
  assert.equal(judge(slice({ busy: 0.9 }), slice({ rate: 900 })), 'inconclusive')
  assert.equal(judge(slice(), slice({ rate: 900, busy: 0.9 })), 'pass')
})

test('a server that does not do its work fails, however late the probes were', () => {
  const yours = slice({ cpuPerRequestMs: 0.3, probes: [3], probeLateMs: 90 })
  const result = judgeRounds(gate('work', { target: 0.75 }), { cores: 2 }, rounds(slice(), yours))
  assert.equal(result.verdict, 'fail')
})
