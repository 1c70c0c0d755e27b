import assert from 'node:assert/strict'
import test from 'node:test'
import { compareAll, decideOnPlan } from '../../lessons/07-blind-benchmark/check.js'
import { benchOwn, runCheck } from '../../runner/check/index.js'
import { leastRounds, mostRounds, newEvidence } from '../../runner/judge/index.js'
import { createRandom } from '../../runner/shared/random.js'
import { setVariables } from '../environment.js'
import { assertValid } from '../valid-record.js'
import { entry, fits, isPlan, planOf, refused, right, saturating } from './plans.js'

const plan = saturating(1)

/** One comparison, whose figures decide nothing. @param {string} dir */
async function check (dir) {
  const { record } = await runCheck({ entry, dir, speed: false, seed: 'plan' })
  assertValid(record)
  return record
}

test('a load plan is read and tried with real servers, and passes each check', async (t) => {
  const record = await check(planOf(t, plan))
  assert.equal(record.verdict, 'inconclusive', record.reason)
  assert.deepEqual(
    record.contract.map(({ name, status }) => [name, status]),
    entry.lesson.check?.checks.map((name) => [name, 'pass'])
  )
  const [apart] = record.gates
  assert.ok(apart.baseline && apart.yours)
  assert.deepEqual([record.rounds[0].servers?.[0], record.rounds[0].unit], ['faster', 'requests/s'])
  assert.ok(record.load.requests > 0)
})

test('a load plan that measures errors is refused with the first of them', async (t) => {
  refused(
    await check(planOf(t, plan.replace('/work', '/werk'))),
    right,
    /GET \/werk: expected status 200, got 404/
  )
})

test('a load plan that takes too long is refused before it is run', async (t) => {
  refused(
    await check(planOf(t, plan.replace('rounds: 1', 'rounds: 40'))),
    fits,
    /takes 6\.44 s .+; there are 2 s for it/
  )
})

test('what is no load plan is told in one sentence, and no secret reaches it', async (t) => {
  setVariables(t, { MAKE_IT_FAST_TEST_SECRET: 'hidden' })
  refused(await check(planOf(t, 'export const x = 1')), isPlan, /must `export default`/)
  for (const [source, message] of /** @type {[string, RegExp][]} */ ([
    [
      "export default { user: 6, paths: ['/'], durationMs: 80, figure: 'rate' }",
      /There is no field `user`: did you mean `users`\?/
    ],
    [
      "export default { users: 6, paths: ['/'], durationMs: 80, figure: () => 1 }",
      /`figure` in load\.js isn’t plain data/
    ],
    [
      "export default { users: 6, paths: ['/'], get durationMs () { return 80 }, figure: 'rate' }",
      /`durationMs` in load\.js isn’t plain data/
    ],
    ['export default new Proxy({}, {})', /exports a Proxy, which isn’t plain data/],
    ['export default { paths: new Proxy([], {}) }', /`paths` in load\.js isn’t plain data/],
    ['export default {', /load\.js cannot be read: SyntaxError/],
    ['throw new Error("boom")', /load\.js cannot be read: Error: boom \(load\.js:1\)/],
    [
      'process.send(null); process.send({ id: 2 }); export default {}',
      /load\.js tampers with the process that reads it/
    ],
    [
      'process.send({ id: 2, value: { value: { users: 0 }, problem: null } }); export default {}',
      /`paths` is missing/
    ],
    ['process.exit(0)', /load\.js ended the process that read it/],
    ["throw new Error(process.env.MAKE_IT_FAST_TEST_SECRET ?? 'no secret')", /Error: no secret/]
  ])) {
    refused(await check(planOf(t, source)), isPlan, message)
  }
})

test('a load plan can be tried once, and long runs are cut', async (t) => {
  const dir = planOf(t, "export default { users: 2, paths: ['/work'], durationMs: 60000, figure: 'rate' }")
  const own = entry.lesson.check
  assert.ok(own)
  const { figures, cut, unit } = await benchOwn(own, {
    entry,
    dir,
    seed: 'x',
    longestMs: 300,
    signal: new AbortController().signal
  })
  assert.ok(figures[0] && figures[1], String(figures))
  assert.equal(cut, true)
  assert.equal(unit, 'requests/s')
})

/**
 * What comparisons say whose figures are made up.
 *
 * @param {(pair: 'apart' | 'alike', number: number) => any} compare
 * @param {any} [changes]
 */
function compareAs (compare, changes) {
  let number = 0
  let running = 0
  const session = {
    seed: 'made up',
    start: async (/** @type {string} */ _role, /** @type {unknown} */ _folder, /** @type {any} */ { files }) => {
      running++
      return { server: { port: JSON.parse(files['machine.json']).serviceMs, hasExited: () => false }, failure: null }
    },
    stop: async () => { running-- }
  }
  const sender = {
    compare: async (/** @type {any} */ { ports: [one, other] }) => {
      const made = await compare(one === other ? 'alike' : 'apart', ++number)
      return { figures: [100, 100], answers: 10, wrong: 0, problems: [], elapsedMs: 10, ...made }
    }
  }
  const startedAt = Date.now()
  return compareAll(/** @type {any} */ ({
    gates: entry.lesson.gates,
    plan: { figure: 'rate', durationMs: 10 },
    session,
    sender,
    random: createRandom('made up'),
    clock: { softMs: 60_000, hardMs: 60_000, elapsedMs: () => Date.now() - startedAt, allows: () => true },
    speed: true,
    onProgress: () => {},
    ...changes
  })).finally(() => assert.equal(running, 0))
}

/** @param {Awaited<ReturnType<typeof compareAll>>} compared */
const verdicts = ({ gates }) => gates.map(({ verdict }) => verdict)
/** Every comparison says a little else. @param {number} number */
const noise = (number) => 1 + (number % 3) / 100

test('figures that tell two servers apart, and identical ones not, pass', async () => {
  const both = await compareAs((pair, number) => ({ figures: [(pair === 'apart' ? 300 : 100) * noise(number), 100] }))
  assert.deepEqual(verdicts(both), ['pass', 'pass'])
  assert.deepEqual([both.load.requests, both.gates[0].unit], [10 * both.rounds.length, 'requests/s'])
  const latency = await compareAs(
    (pair, number) => ({ figures: [5 * noise(number), pair === 'apart' ? 15 : 5] }),
    { plan: { figure: 'p50' } }
  )
  assert.deepEqual(verdicts(latency), ['pass', 'pass'])
  assert.equal(latency.gates[0].unit, 'ms')
})

test('figures that tell nothing apart, or identical servers, don’t pass', async () => {
  const same = await compareAs((_, number) => ({ figures: [100 * noise(number), 100] }))
  assert.equal(verdicts(same)[0], 'fail')
  const apart = await compareAs((_, number) => ({ figures: [300 * noise(number), 100] }))
  assert.equal(verdicts(apart)[1], 'fail')
  const wild = await compareAs((_, number) => ({ figures: [number % 4 < 2 ? 300 : 40, 100] }))
  assert.ok(!verdicts(wild).includes('pass'))
  assert.ok(wild.rounds.length <= 2 * mostRounds)
})

test('wrong answers and servers that fail end the comparisons', async () => {
  const wrong = await compareAs(() => ({ wrong: 2, problems: ['GET /: expected status 200, got 404.'] }))
  assert.deepEqual([wrong.load.errors, wrong.load.requests, wrong.rounds.length], [4, 24, 2])
  const start = async () => ({ server: null, failure: 'it did not start' })
  const session = { seed: 'x', start, stop: assert.fail }
  const { faults } = await compareAs(() => assert.fail(), { session })
  assert.deepEqual(faults, Array(4).fill('it did not start'))
})

test('a comparison that was given up isn’t tried again in the extra time for close ones', async () => {
  const never = () => new Promise(() => {})
  const clock = { softMs: 50, hardMs: 400, elapsedMs: () => 0, allows: () => true }
  const { givenUpMs, gates } = await compareAs(never, { clock })
  assert.equal(givenUpMs.length, gates.length)
})

test('too few comparisons are told from figures that scatter', () => {
  /** @type {any} */
  const gate = {
    name: 'apart',
    verdict: 'inconclusive',
    ratio: 1.3,
    ratioUnit: '×',
    interval95: null,
    interval: null,
    direction: 'at least',
    target: 1.25,
    tiers: null,
    moreSeconds: null
  }
  const open = (/** @type {number} */ rounds) =>
    decideOnPlan({ ...newEvidence(), gates: [{ ...gate, rounds }] }, { asked: '2 s' })
  assert.match(open(leastRounds - 1).reason, /ran out of time after \d+ of the \d+ comparisons/)
  assert.doesNotMatch(open(8).reason, /ran out of time/)
  assert.match(open(8).next, /figures vary too much/)
})
