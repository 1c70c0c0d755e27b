import assert from 'node:assert/strict'
import test from 'node:test'
import { decide } from '../../runner/judge/verdict.js'
import { judgeGate } from '../../runner/judge/gate.js'

/** @import { Evidence } from '../../runner/judge/index.js' */

const gateOf = (/** @type {number[]} */ ratios, target = 4) => judgeGate(
  { name: 'movies', kind: 'rate', load: 'list', target, look: 'What is done again for every request?' },
  { cores: 2 },
  ratios.map((ratio) => ({ baseline: 100, yours: 100 * ratio, seconds: 0.5 })),
  { last: true }
)
const fast = gateOf([10, 10.1, 9.9, 10, 10.2])
const slow = gateOf([1, 1.01, 0.99, 1, 1.02])
const open = gateOf([3, 9, 4, 7, 5])
const passed = {
  name: 'answers',
  when: /** @type {const} */ ('before'),
  status: /** @type {const} */ ('pass'),
  message: ''
}
const failed = {
  name: 'answers 401 to a wrong password',
  when: /** @type {const} */ ('before'),
  status: /** @type {const} */ ('fail'),
  message: 'POST /login: expected status 401, got 200'
}

/** @param {Partial<Evidence>} [evidence] @returns {Evidence} */
const evidenceOf = (evidence) => ({
  contract: [passed],
  baselineFailures: [],
  startFailure: null,
  meddling: null,
  sightings: 0,
  crash: null,
  problems: [],
  baselineProblems: [],
  gates: [fast],
  unfit: null,
  conditions: { rounds: 5, disturbed: 0, idleServer: 0, cause: '' },
  unmeasured: false,
  unchanged: false,
  place: null,
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
    'Every answer is right, and every target is reached: movies 10× (likely 8.7 to 12, certainly at least 7), ' +
      'where 4× is asked for.'
  )
  assert.equal(
    verdictOf({ gates: [slow] }).reason,
    'Every answer is right, and movies is not there yet: 1× (likely 0.87 to 1.2, certainly at most 1.5), where 4× ' +
      'is asked for.'
  )
  const steady = judgeGate(
    { name: 'growth', kind: 'degradation', load: 'list', target: 1.5, look: '' },
    { cores: 2 },
    [1, 1.01, 0.99, 1, 1.02].map((yours) => ({ baseline: 3, yours, seconds: 1 }))
  )
  const { reason } = verdictOf({ gates: [steady] })
  assert.match(reason, /growth 1× .*certainly at most 1\.\d+\), where 1\.5× is allowed\./)
})

test('a bound is never rounded across the target, nor past what is certain', () => {
  const close = { ...fast, interval: /** @type {[number, number]} */ ([4.0004, 9]) }
  assert.match(verdictOf({ gates: [close] }).reason, /certainly at least 4\.0004\)/)
  const down = { ...fast, interval: /** @type {[number, number]} */ ([4.99, 19]) }
  assert.match(verdictOf({ gates: [down] }).reason, /certainly at least 4\.9\)/)
  const exact = { ...fast, interval: /** @type {[number, number]} */ ([6.9, 19]) }
  assert.match(verdictOf({ gates: [exact] }).reason, /certainly at least 6\.9\)/)
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
  assert.match(reason, /one check fails: that it “answers 401 to a wrong password”\./)
  assert.match(
    verdictOf({ contract: [{ ...failed, when: 'after' }, failed] }).reason,
    /2 checks fail, the first of them: .* after the load\./
  )
})

test('one wrong answer under load fails', () => {
  assert.match(
    verdictOf({ problems: ['GET /movies: the answer was cut'] }).reason,
    /Under load an answer was wrong: GET \/movies/
  )
})

test('a server that does not start or that ends fails with what is known of it', () => {
  const { verdict, next } = decide(
    evidenceOf({ startFailure: 'server.js ended with exit code 1.', gates: [] }),
    { serve: 'npm run serve lesson-3 mine', writeUp: '' }
  )
  assert.equal(verdict, 'fail')
  assert.equal(next, 'See all that it says: npm run serve lesson-3 mine')
  assert.equal(verdictOf({ crash: 'Your server was ended by SIGSEGV under load.', gates: [] }).verdict, 'fail')
})

test('one gate that fails is enough to fail, and says where to look', () => {
  const { verdict, next } = verdictOf({ gates: [fast, slow] })
  assert.equal(verdict, 'fail')
  assert.equal(next, 'What is done again for every request?')
})

test('a failed gate ends with its question, and with the place in the learner’s own code, where it is known', () => {
  const { verdict, next } = verdictOf({ gates: [slow], place: 'Begin at server.js:31.' })
  assert.equal(verdict, 'fail')
  assert.equal(next, 'What is done again for every request? Begin at server.js:31.')
  assert.equal(verdictOf({ gates: [fast], place: 'Begin at server.js:31.' }).verdict, 'pass')
})

test('what is missing nothing but time is told to run again, and never to become faster', () => {
  const enough = { ...gateOf([4.5, 6, 5, 7, 5.5]), name: 'logins' }
  assert.equal(enough.verdict, 'inconclusive')
  const { verdict, reason, next } = verdictOf({ gates: [fast, { ...enough, moreSeconds: 3 }] })
  assert.equal(verdict, 'inconclusive')
  assert.match(reason, /^Every answer is right\. Passed: movies 10×\. Still open: logins 5\.54× \(likely /)
  assert.match(reason, /but it could still be [\d.]+\), where 4× is asked for: enough so far, and not certain yet\. /)
  assert.match(reason, /About 3 more seconds of rounds would settle it\.$/)
  assert.match(next, /nothing to mend: more rounds are needed\. Run the check again.* more time: -- --seconds 60/)
  for (const moreSeconds of [null, 200]) {
    const tight = verdictOf({ gates: [{ ...enough, moreSeconds }], place: 'Begin at server.js:31.' })
    assert.match(tight.next, /^By these figures logins is enough, but too close to its target/)
  }
})

test('what is open on the wrong side of its target is told where to look', () => {
  const behind = gateOf([3, 4.2, 3.5, 3.9, 3.6])
  assert.equal(behind.verdict, 'inconclusive')
  const { verdict, reason, next } = verdictOf({
    gates: [{ ...gateOf([4.5, 6, 5, 7, 5.5]), look: 'Not here.' }, behind],
    place: 'Begin at server.js:31.'
  })
  assert.equal(verdict, 'inconclusive')
  assert.match(reason, /Still open: movies 5\.54× .*; movies 3\.62× .*: (too close to call yet|not enough so far)/)
  assert.equal(next, 'What is done again for every request? Begin at server.js:31. It is close: another check, with ' +
    'nothing else running, may tell.')
})

test('too few rounds are told as that', () => {
  const { reason, next } = verdictOf({ gates: [gateOf([9, 10])] })
  assert.match(reason, /movies 9\.49×, where 4× is asked for: too few rounds to say/)
  assert.match(next, /[Rr]un the check again/)
})

test('one gate that is open keeps the verdict open', () => {
  const { verdict, reason } = verdictOf({ gates: [fast, open] })
  assert.equal(verdict, 'inconclusive')
  assert.match(reason, /Still open: movies 5\.19× .*too close to call yet\. About \d+ more seconds/)
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
  const dropped = { ...fast, verdict: /** @type {const} */ ('dropped') }
  assert.equal(verdictOf({ gates: [dropped, fast] }).verdict, 'pass')
  assert.equal(verdictOf({ gates: [dropped] }).verdict, 'inconclusive')
  assert.equal(verdictOf({ gates: [] }).verdict, 'inconclusive')
})

test('a generator that was too busy cannot fail a fix, and cannot pass one at the baseline’s cost', () => {
  assert.equal(verdictOf({ gates: [slow], unfit: 'yours' }).verdict, 'inconclusive')
  assert.equal(verdictOf({ gates: [slow], unfit: 'baseline' }).verdict, 'fail')
  assert.equal(verdictOf({ gates: [fast], unfit: 'baseline' }).verdict, 'inconclusive')
  // A generator at its limit only squeezes a ratio: the fix is at least that fast.
  assert.equal(verdictOf({ gates: [fast], unfit: 'yours' }).verdict, 'pass')
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
  assert.match(reason, /while nobody asks it anything/)
})

test('who meddles with the slow server fails for that, whatever the slow server did then', () => {
  const { verdict, reason } = verdictOf({
    gates: [fast],
    meddling: 'Your server was connected to it.',
    baselineProblems: ['no answer within 10 s.']
  })
  assert.equal(verdict, 'fail')
  assert.equal(reason, 'Your server was connected to it.')
})
