import assert from 'node:assert/strict'
import test from 'node:test'
import { conclude } from '../../compare/conclude.js'
import { createComparisonStandings, gatesOf, halfWidth } from '../../compare/gates.js'
import { newEvidence } from '../../runner/judge/index.js'

const conditions = { steal: 0, foreign: 0, busy: 0.9, waiting: 0.01, idleServer: 0 }

/**
 * Pairs of four rounds each; every pair has its own luck, which lies evenly around the ratio.
 *
 * @param {number} ratio
 * @param {number} pairs
 * @param {number} [luck] log ratio
 * @returns {any[]}
 */
const roundsOf = (ratio, pairs, luck = 0.02) => Array.from({ length: pairs * 4 }, (_, i) => {
  const pair = Math.floor(i / 4) + 1
  const shift = Math.exp(luck * [-1, 1, 0, -0.5, 0.5][pair % 5] + 0.005 * (i % 2 ? 1 : -1))
  return {
    result: { load: 'busy', number: i + 1 },
    baseline: { rate: 1000, conditions, busy: 0.1, littlesLaw: null },
    yours: { rate: 1000 * ratio * shift, conditions, busy: 0.1, littlesLaw: null },
    seconds: 0.5,
    pair,
    disturbed: null
  }
})

const how = { target: null, precision: 0.05, cyclesPerPair: 4 }

/** @param {any[]} rounds @param {{ target?: number, cyclesPerPair?: number }} [more] */
function after (rounds, more) {
  const asked = { ...how, ...more, before: 'old', after: 'new', seconds: 60 }
  const { gates } = gatesOf([], asked)
  const standings = createComparisonStandings(gates, { cores: 2 }, asked)
  for (let count = 1; count <= rounds.length; count++) standings.judge(rounds.slice(0, count))
  const isOpen = standings.isOpen('busy', rounds)
  const evidence = { ...newEvidence(), gates: standings.judge(rounds, { last: true }) }
  return { isOpen, ...conclude(evidence, asked) }
}

test('how much is known once the interval is narrow enough, whatever the ratio', () => {
  for (const [ratio, says, verdict] of /** @type {const} */ ([
    [1.5, 'faster', 'pass'], [1, 'no difference', 'pass'], [0.7, 'slower', 'fail']
  ])) {
    const seen = after(roundsOf(ratio, 16))
    assert.deepEqual([seen.isOpen, seen.says, seen.verdict], [false, says, verdict])
    assert.ok(halfWidth(seen.gates[0]) <= 0.05)
    assert.deepEqual(seen.gates[0].servers, ['old', 'new'])
    assert.equal(seen.gates[0].target, null)
  }
  const { reason } = after(roundsOf(1, 16))
  assert.match(reason, /^rate: no difference larger than ±[\d.]+ % \(likely 0\.\d+× to 1\.\d+×\)\.$/)
})

test('while it is wide it stays open, and at the end says what it would take', () => {
  const seen = after(roundsOf(1, 9, 0.3))
  assert.deepEqual([seen.isOpen, seen.says, seen.verdict], [true, 'inconclusive', 'inconclusive'])
  assert.match(seen.next, /^It’s known to ±\d+ %\. About \d+ seconds in all would make that ±5 %: .*--seconds\.$/)
})

test('few pairs decide nothing, however well they agree, and half a pair is no pair', () => {
  assert.equal(after(roundsOf(1, 7, 0)).isOpen, true)
  assert.equal(after(roundsOf(1, 8, 0).slice(0, -1)).isOpen, true)
  assert.equal(after(roundsOf(1, 8, 0)).isOpen, false)
})

test('a target is decided as in a lesson, and what differs is said all the same', () => {
  const reached = after(roundsOf(1.5, 12), { target: 1.2 })
  assert.deepEqual([reached.isOpen, reached.says, reached.verdict], [false, 'faster', 'pass'])
  assert.match(reached.reason, /the target of 1\.2× is reached\.$/)
  const missed = after(roundsOf(1, 12), { target: 1.2 })
  assert.deepEqual([missed.isOpen, missed.verdict], [false, 'fail'])
  assert.notEqual(missed.says, 'slower')
})

test('rounds that disturbed both servers alike count, others do not', () => {
  const crowded = { ...conditions, foreign: 1, busy: 1, waiting: 0.4 }
  const disturbed = { cause: 'foreign', text: 'other programs' }
  const busy = (/** @type {any} */ yours) => roundsOf(1.5, 12).map((round) => ({
    ...round,
    disturbed,
    baseline: { ...round.baseline, conditions: crowded },
    yours: { ...round.yours, conditions: yours }
  }))
  assert.equal(after(busy(crowded)).says, 'faster')
  assert.equal(after(busy(conditions)).says, 'inconclusive')
})

test('servers that are never restarted are judged round by round, with what processes differ by', () => {
  const seen = after(roundsOf(1, 8, 0), { cyclesPerPair: Infinity })
  assert.equal(seen.isOpen, true)
  assert.ok(halfWidth(seen.gates[0]) > 0.09)
})

test('what went wrong comes before any speed', () => {
  const asked = { ...how, before: 'old', after: 'new', seconds: 1 }
  for (const [found, says, verdict, reason] of /** @type {const} */ ([
    [{ baselineFailures: ['it broke.'] }, 'error', 'error', 'old: it broke.'],
    [{ startFailure: 'no port.' }, 'error', 'error', 'new: no port.'],
    [{ startFailure: 'exit code 0 before it listened.' }, 'error', 'error', 'new: exit code 0 before it listened. ' +
      'Both are started at the same time: let it listen on process.env.PORT.'],
    [{ baselineProblems: ['200 there, 429 here.'] }, 'error', 'error',
      'old: 200 there, 429 here. Switch off the rate limit while you compare.'],
    [{ crash: 'Your server ended.' }, 'crashed', 'fail', 'new ended.'],
    [{ interference: 'x' }, 'error', 'error',
      'While old was being measured, new was connected to it: let it call something else.'],
    [{ problems: ['GET /: wrong.'] }, 'different answers', 'fail', 'new, under load: GET /: wrong.']
  ])) {
    const seen = conclude({ ...newEvidence(), ...(/** @type {any} */ (found)) }, asked)
    assert.deepEqual([seen.says, seen.verdict, seen.reason], [says, verdict, reason])
  }
})

test('gates are chosen by name', () => {
  assert.deepEqual(gatesOf([], { target: null, rate: 50 }).gates.map(({ name }) => name), ['p50', 'p99'])
  assert.equal(gatesOf(['p99'], { target: null, rate: 50 }).loads.steady.rate, 50)
  assert.throws(() => gatesOf(['p9'], { target: null }), /did you mean --gate p99/)
})
