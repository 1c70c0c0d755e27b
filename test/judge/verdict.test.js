import assert from 'node:assert/strict'
import test from 'node:test'
import { judgeGate, mostRounds, sayUndecided } from '../../runner/judge/gate.js'
import { decide, nextWithPlace } from '../../runner/judge/verdict.js'

/** @import { ContractResult, Evidence, GateResult } from '../../runner/judge/index.js' */

const gateOf = (/** @type {number[]} */ ratios, target = 4) => judgeGate(
  { name: 'movies', kind: 'rate', load: 'list', target, look: 'What is done again for every request?' },
  { cores: 2 },
  ratios.map((ratio) => ({ baseline: 100, yours: 100 * ratio, seconds: 0.5 })),
  { last: true }
)
const fast = gateOf([10, 10.1, 9.9, 10, 10.2])
const slow = gateOf([1, 1.01, 0.99, 1, 1.02])
const open = gateOf([3, 9, 4, 7, 5])
/** @type {GateResult} */
const dropped = { ...fast, name: 'both cores', verdict: 'dropped' }
/** @type {ContractResult} */
const passed = { name: 'answers', when: 'before', status: 'pass', message: '' }
/** @type {ContractResult} */
const failed = {
  name: 'answers 401 to a wrong password',
  when: 'before',
  status: 'fail',
  message: 'POST /login: expected status 401, got 200'
}

/** @param {Partial<Evidence>} [evidence] @returns {Evidence} */
const evidenceOf = (evidence) => ({
  contract: [passed],
  baselineFailures: [],
  portTaken: null,
  unclear: null,
  startFailure: null,
  interference: null,
  interfered: [],
  crash: null,
  problems: [],
  baselineProblems: [],
  gates: [fast],
  conditions: { rounds: 5, disturbed: 0, idleServer: 0, cause: '' },
  unmeasured: false,
  unchanged: false,
  ...evidence
})
const verdictOf = (/** @type {Parameters<typeof evidenceOf>[0]} */ evidence) => decide(evidenceOf(evidence))

test('right and fast enough is a pass, which sends to the write-up by its path', () => {
  const { verdict, next } = decide(evidenceOf({}), { serve: '', writeUp: 'solutions/03-in-memory-json/README.md' })
  assert.equal(verdict, 'pass')
  assert.match(next, /^Read solutions\/03-in-memory-json\/README\.md and compare/)
})

test('the headline says what was measured, where it likely lies, and what is certain', () => {
  assert.equal(
    verdictOf({}).reason,
    'Every answer is right, and every target is reached: movies 10× (likely 9.1 to 11, certainly at least 8.4); ' +
      'the target is 4×.'
  )
  assert.equal(
    verdictOf({ gates: [slow] }).reason,
    'Every answer is right, and movies isn’t there yet: 1× (likely 0.91 to 1.1, certainly at most 1.2); the target ' +
      'is 4×.'
  )
  const steady = judgeGate(
    { name: 'growth', kind: 'degradation', load: 'list', target: 1.5, look: '' },
    { cores: 2 },
    [1, 1.01, 0.99, 1, 1.02].map((yours) => ({ baseline: 3, yours, seconds: 1 }))
  )
  const { reason } = verdictOf({ gates: [steady] })
  assert.match(reason, /growth 1× .*certainly at most 1\.\d+\); the limit is 1\.5×\./)
})

test('a bound is never rounded across the target, nor past what is certain', () => {
  /** @param {[number, number]} interval */
  const reasonFor = (...interval) => verdictOf({ gates: [{ ...fast, interval }] }).reason
  assert.match(reasonFor(4.0004, 9), /certainly at least 4\.0004\)/)
  assert.match(reasonFor(4.99, 19), /certainly at least 4\.9\)/)
  assert.match(reasonFor(6.9, 19), /certainly at least 6\.9\)/)
})

test('a fault of the slow server is an error, whatever else is known', () => {
  for (const fault of [{ baselineFailures: ['it answers'] }, { baselineProblems: ['GET /: cut'] }]) {
    const { verdict, reason } = verdictOf({ ...fault, contract: [failed], gates: [slow], problems: ['x'], crash: 'y' })
    assert.equal(verdict, 'error')
    assert.match(reason, /slow server itself/)
  }
})

test('a wrong answer fails, however fast the server is, and the check is named', () => {
  const { verdict, reason } = verdictOf({ contract: [passed, failed] })
  assert.equal(verdict, 'fail')
  assert.match(reason, /One check failed: a correct server answers 401 to a wrong password\./)
  assert.match(
    verdictOf({ contract: [{ ...failed, when: 'after' }, failed] }).reason,
    /2 checks failed\. The first one after the load: /
  )
})

test('one wrong answer under load fails', () => {
  assert.match(
    verdictOf({ problems: ['GET /movies: the answer was cut'] }).reason,
    /An answer was wrong under load: GET \/movies/
  )
})

test('a port that another program had is no fault of the learner’s', () => {
  const { verdict, reason } = verdictOf({ portTaken: 'Another program had it.', gates: [], contract: [failed] })
  assert.deepEqual([verdict, reason], ['error', 'This couldn’t be checked. Another program had it.'])
})

test('a server that does not start or that ends fails with what is known of it', () => {
  const { verdict, next } = decide(
    evidenceOf({ startFailure: 'server.js ended with exit code 1.', gates: [] }),
    { serve: 'npm run serve lesson-3 mine', writeUp: '' }
  )
  assert.equal(verdict, 'fail')
  assert.equal(next, 'See its whole output: npm run serve lesson-3 mine')
  assert.equal(verdictOf({ crash: 'Your server was ended by SIGSEGV under load.', gates: [] }).verdict, 'fail')
})

test('what is late while the slow server is late, too, is inconclusive, unless something is wrong', () => {
  const unclear = 'This machine is too busy to tell: no answer within 10 s, but the slow server was late as well.'
  const { verdict, reason, next } = verdictOf({ unclear })
  assert.deepEqual([verdict, reason], ['inconclusive', unclear])
  assert.match(next, /^Close what else is running, .+ run the check again\.$/)
  assert.equal(verdictOf({ unclear, unmeasured: true }).reason, unclear)
  assert.equal(verdictOf({ unclear, problems: ['a wrong answer'] }).verdict, 'fail')
})

test('one gate that fails is enough, and ends with its question and the place in the learner’s code, if known', () => {
  const failed = verdictOf({ gates: [fast, slow] })
  assert.equal(failed.verdict, 'fail')
  assert.equal(nextWithPlace(failed, place), 'What is done again for every request? Begin at server.js:31.')
  const passed = verdictOf({ gates: [fast] })
  assert.equal(nextWithPlace(passed, place), passed.next)
})

const place = 'Begin at server.js:31.'
const names = { serve: '', writeUp: '', more: 'npm run check lesson-3 -- --more' }

test('what lacks nothing but time is told to go on, and never to become faster', () => {
  const enough = { ...gateOf([4.2, 6.4, 4.8, 7.2, 5.4]), name: 'logins', moreSeconds: 3 }
  assert.equal(enough.verdict, 'inconclusive')
  const { verdict, reason, next } = decide(evidenceOf({ gates: [fast, enough] }), names)
  assert.equal(verdict, 'inconclusive')
  assert.match(reason, /^Every answer is right\. Passed: movies 10×\. Still open: logins is /)
  assert.match(reason, /about 5\.5×.* 4×\. About 3 more seconds of rounds would settle it\.$/)
  assert.equal(next, `Go on with the rounds you have: ${names.more}`)
  const full = decide(evidenceOf({ gates: [{ ...enough, rounds: mostRounds }] }), names)
  assert.match(full.next, /^More rounds won’t settle this/)
  assert.match(verdictOf({ gates: [enough] }).next, /with more time: -- --seconds 60$/)
})

test('what is open on the wrong side of its target is told where to look', () => {
  const behind = gateOf([2.9, 3.5, 3.1, 3.3, 3.2])
  const decision = decide(evidenceOf({ gates: [{ ...behind, verdict: 'inconclusive' }] }), names)
  assert.match(decision.reason, /Still open: movies probably isn’t there yet: about 3\.2×, and the target is 4×\./)
  const next = nextWithPlace(decision, place)
  assert.match(next, /^What is done again for every request\? Begin at server\.js:31\. Or go on with the rounds/)
})

test('what is close is told that, and what could not be measured why', () => {
  const close = gateOf([3, 5.2, 3.5, 4.9, 3.6])
  const missing = { ...gateOf([]), name: 'memory', note: 'There was no time for a round of it.' }
  const { reason } = verdictOf({ gates: [close, missing] })
  assert.match(reason, /movies is too close to call: about [\d.]+×, and the target is 4×; /)
  assert.match(reason, /memory couldn’t be measured, since there was no time for a round of it\./)
})

test('too few rounds are told as that', () => {
  const few = gateOf([9, 10])
  assert.match(verdictOf({ gates: [few] }).reason, /movies is about 9\.5× after too few rounds to say more/)
  assert.equal(sayUndecided([gateOf([9])]), 'too few rounds so far')
  assert.equal(sayUndecided([few, gateOf([3, 5.2, 3.5, 4.9, 3.6])]), 'too close to call')
  assert.equal(sayUndecided([gateOf([])]), 'undecided')
  const measured = { ...gateOf([3, 5.2, 3.5, 4.9, 3.6]), verdict: /** @type {const} */ ('inconclusive') }
  assert.equal(sayUndecided([{ ...measured, interval95: [5, 6], ratio: 5.5 }]), 'probably good enough')
  assert.equal(sayUndecided([{ ...measured, interval95: [2, 3], ratio: 2.5 }]), 'probably not there yet')
})

test('the slow server itself is told that it is that, and what the targets are', () => {
  /** @type {GateResult[]} */
  const gates = [{ ...slow, ratio: 1 }, { ...fast, verdict: 'not measured' }]
  const { verdict, reason, next } = verdictOf({ gates, contract: [], unchanged: true })
  assert.equal(verdict, 'fail')
  assert.equal(reason, 'This is the slow server, unchanged: it’s exactly as fast as itself (1×). ' +
    'The target is 4× for movies.')
  assert.equal(next, slow.look)
  assert.match(verdictOf({ gates: [], unmeasured: true, unchanged: true }).reason,
    /^This is where everyone starts: nothing is changed yet\. Every answer is right\./)
})

test('a busy machine is named as the cause', () => {
  const { verdict, reason } = verdictOf({
    gates: [open],
    conditions: { rounds: 8, disturbed: 8, idleServer: 0, cause: 'other programs kept 90 % of a core busy' }
  })
  assert.equal(verdict, 'inconclusive')
  assert.match(reason, /Most rounds were disturbed: other programs kept 90 % of a core busy/)
})

test('a dropped gate neither passes nor fails, and all dropped is inconclusive', () => {
  assert.equal(verdictOf({ gates: [dropped, fast] }).verdict, 'pass')
  assert.equal(verdictOf({ gates: [dropped] }).verdict, 'inconclusive')
  assert.equal(verdictOf({ gates: [] }).verdict, 'inconclusive')
})

test('what the slow server would pass as well makes no pass', () => {
  /** @type {GateResult} */
  const work = { ...fast, kind: 'work', target: 0.6 }
  const { verdict, reason, next } = verdictOf({ gates: [dropped, work] })
  assert.equal(verdict, 'inconclusive')
  assert.match(reason, /this machine can’t show what this lesson is about: both cores\./)
  assert.match(next, /at least two CPUs.* -- --no-speed\./)
  assert.equal(verdictOf({ gates: [dropped, work, fast] }).verdict, 'pass')
})

test('a server that works while it is not asked fails, because it slows the other one down', () => {
  const { verdict, reason } = verdictOf({
    conditions: {
      rounds: 6,
      disturbed: 6,
      idleServer: 6,
      cause: 'the server that was not being measured kept 99 % of a core busy'
    }
  })
  assert.equal(verdict, 'fail')
  assert.match(reason, /while no request is in flight/)
})

test('who meddles with the slow server fails for that, whatever the slow server did then', () => {
  const { verdict, reason } = verdictOf({
    gates: [fast],
    interference: 'Your server was connected to it.',
    baselineProblems: ['no answer within 10 s.']
  })
  assert.equal(verdict, 'fail')
  assert.equal(reason, 'Your server was connected to it.')
})
