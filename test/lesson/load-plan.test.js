import assert from 'node:assert/strict'
import test from 'node:test'
import {
  ceilingOf, figureOf, problemsOfPlan, timeOfPlan, tookTooLong, tooLow
} from '../../lessons/07-blind-benchmark/plan.js'
import { runOnce } from '../../lessons/07-blind-benchmark/run.js'
import { httpServer } from '../load/trap-server.js'

/** Lesson 7's load plans: their fields, what they say of themselves, and one run. */

const whole = {
  users: 8,
  requests: 100,
  pauseMs: 5,
  rampUpMs: 50,
  maxSockets: 8,
  paths: ['/work'],
  warmUpMs: 100,
  durationMs: 200,
  rounds: 4,
  figure: 'rate'
}
const open = { rate: 100, paths: ['/work'], durationMs: 200, figure: 'p99' }

test('whole profiles have no problems', () => {
  assert.deepEqual(problemsOfPlan(whole), [])
  assert.deepEqual(problemsOfPlan(open), [])
})

for (const [what, profile, problem] of /** @type {[string, any, RegExp][]} */ ([
  ['nothing', undefined, /must `export default` an object/],
  ['a list', [], /must `export default` an object/],
  ['no figure', { ...whole, figure: undefined }, /`figure` is missing: it must be one of rate, mean/],
  ['a field that is misspelt', { ...whole, warmupMs: 1 }, /There is no field `warmupMs`: did you mean `warmUpMs`\?/],
  ['no user', { ...whole, users: 0 }, /`users` must be a whole number from 1 to 200, got 0\./],
  ['a path without a slash', { ...whole, paths: ['work'] }, /`paths` must be a list of paths that begin with a slash/],
  ['a path with a line break', { ...whole, paths: ['/a\r\nX: y'] }, /`paths` must be a list/],
  ['an unknown figure', { ...whole, figure: 'toString' }, /`figure` must be one of/],
  ['both loops', { ...whole, rate: 10 }, /either `users`, for a closed loop, or `rate`/],
  ['neither loop', { paths: ['/'], durationMs: 100, figure: 'rate' }, /either `users`/],
  ['pauses in an open loop', { ...open, pauseMs: 5 }, /`pauseMs` belongs to `users`/],
  ['a ramp longer than the run', { ...whole, rampUpMs: 500 }, /`rampUpMs` must not be longer than `durationMs`/],
  ['not a number', { ...whole, durationMs: NaN }, /`durationMs` must be a number from 10 to 600000, got null/]
])) {
  test(`refuses ${what}`, () => assert.match(problemsOfPlan(profile).join('\n'), problem))
}

test('the time of a comparison is that of both servers', () => {
  assert.equal(timeOfPlan(/** @type {any} */ (whole)), 2 * (100 + 4 * 200))
  assert.equal(timeOfPlan(/** @type {any} */ (open)), 400)
})

test('the ceiling of a load is what a server that answers at once would show', () => {
  const ceilings = [
    { rate: 120 },
    { users: 4, pauseMs: 40 },
    { users: 4 },
    { users: 50, requests: 1, rampUpMs: 1000 },
    { users: 2, requests: 5, pauseMs: 100 },
    { users: 6, requests: 3 }
  ].map((plan) => Math.round(ceilingOf(/** @type {any} */ (plan))))
  assert.deepEqual(ceilings, [120, 100, Infinity, 51, 25, Infinity])
})

test('a rate is all answers over all time, a latency that of all answers', () => {
  const runs = [{ latencies: [1, 2, 3, 4], elapsedMs: 100 }, { latencies: [5], elapsedMs: 100 }]
  const of = (/** @type {any} */ figure, its = runs) => figureOf(/** @type {any} */ ({ figure }), its)
  assert.equal(of('rate'), 25)
  assert.equal(of('mean'), 3)
  assert.equal(of('p50'), 3)
  assert.equal(of('p95', [{ latencies: [], elapsedMs: 100 }]), null)
})

test('a load that limits itself, or builds up a queue, is told so', () => {
  const plan = /** @type {any} */ ({ rate: 25, paths: ['/'], durationMs: 400, figure: 'rate' })
  assert.match(tooLow(plan), /can’t bring any server more than 25 requests\/s, and even the slower one .* 130/)
  assert.equal(tooLow({ ...plan, figure: 'p50' }), '')
  assert.equal(tookTooLong(plan, { tookMs: [5900, 9000], givenUpMs: [] }), '')
  assert.match(tookTooLong(plan, { tookMs: [6100], givenUpMs: [50] }), /takes 0\.8 s .* took 6\.1 s or more/)
})

for (const loop of [{ rate: 50 }, { users: 2 }]) {
  test(`a latency is that of a job, in a loop of ${Object.keys(loop)[0]}`, async () => {
    const jobMs = 40
    const body = JSON.stringify({ status: 'done', job: 1 })
    const server = await httpServer((_req, res) => { setTimeout(() => res.end(body), jobMs) })
    const plan = /** @type {any} */ ({ ...loop, paths: ['/work'], durationMs: 300, figure: 'mean' })
    const { latencies, wrong, problems } = await runOnce(server.port, plan)
    await server.close()
    assert.deepEqual([wrong, problems], [0, []])
    assert.ok(latencies.length >= 5)
    // A timer may fire a millisecond early. How late an answer comes is up to the machine.
    assert.ok(latencies.every((ms) => ms >= jobMs - 2), `${latencies}`)
    assert.ok(Math.min(...latencies) < 300, `${latencies}`)
  })
}
