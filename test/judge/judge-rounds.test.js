import assert from 'node:assert/strict'
import test from 'node:test'
import { judgeRounds } from '../../runner/judge/judge-rounds.js'

/** @import { Gate } from '../../runner/judge/index.js' */

/** @type {Gate} */
const gate = { name: 'movies', kind: 'rate', load: 'list', target: 4, look: 'Where?' }
const quiet = { steal: 0, foreign: 0, busy: 0.9, waiting: 0.01, idleServer: 0 }
const crowded = { steal: 0, foreign: 1, busy: 1, waiting: 0.4, idleServer: 0 }

/**
 * @param {number} ratio
 * @param {any} [baseline] conditions
 * @param {any} [yours] conditions
 * @returns {any}
 */
const round = (ratio, baseline = quiet, yours = quiet) => ({
  result: { load: 'list' },
  baseline: { rate: 100, conditions: baseline },
  yours: { rate: 100 * ratio, conditions: yours },
  seconds: 0.5,
  disturbed: baseline === quiet && yours === quiet ? null : { cause: 'foreign', text: 'other programs' }
})
const judge = (/** @type {any[]} */ rounds) => judgeRounds(gate, { cores: 2 }, rounds)

test('undisturbed rounds decide alone', () => {
  const rounds = [round(10), round(10.2), round(9.9), round(10.1), round(0.1, crowded, crowded)]
  assert.equal(judge(rounds).verdict, 'pass')
  assert.equal(judge(rounds).rounds, 4)
})

test('on a machine that is never quiet a clear fix passes: it can only be faster than it looks', () => {
  const gate = judge([9.5, 10, 10.2, 9.8].map((ratio) => round(ratio, crowded, crowded)))
  assert.equal(gate.verdict, 'pass')
  assert.match(gate.note, /yours could only do better/)
})

test('on a machine that is never quiet nothing fails', () => {
  const gate = judge([1, 1.01, 0.99, 1.02].map((ratio) => round(ratio, crowded, crowded)))
  assert.equal(gate.verdict, 'inconclusive')
  assert.notEqual(gate.ratio, null)
})

test('rounds in which only the baseline was disturbed never pass a fix', () => {
  assert.equal(judge([9.5, 10, 10.2, 9.8, 10].map((ratio) => round(ratio, crowded, quiet))).verdict, 'not measured')
})

test('rounds in which the idle submission kept the baseline from its core never pass a fix', () => {
  const hogged = { ...crowded, foreign: 0, idleServer: 1 }
  assert.equal(judge([9.5, 10, 10.2, 9.8, 10].map((ratio) => round(ratio, hogged, quiet))).verdict, 'not measured')
})

test('memory counts in every round, however busy the machine is', () => {
  const rounds = [200, 220, 210, 190].map((ratio) => {
    const busy = round(1, crowded, crowded)
    return { ...busy, baseline: { ...busy.baseline, retained: 1000 * ratio }, yours: { ...busy.yours, retained: 1000 } }
  })
  assert.equal(judgeRounds({ ...gate, kind: 'retained' }, { cores: 2 }, rounds).verdict, 'pass')
  assert.equal(judgeRounds({ ...gate, kind: 'retained', target: 2000 }, { cores: 2 }, rounds).verdict, 'fail')
})
