import assert from 'node:assert/strict'
import test from 'node:test'
import { compareAll, decideOnPlan } from '../../lessons/07-blind-benchmark/check.js'
import { benchOwn, runCheck } from '../../runner/check/index.js'
import { mostRounds, newEvidence } from '../../runner/judge/index.js'
import { createRandom } from '../../runner/shared/random.js'
import { setVariables } from '../environment.js'
import { assertValid } from '../valid-record.js'
import { entry, isPlan, planOf, refused, saturating, shows, tail } from './plans.js'

const plan = saturating(1)

/** One comparison, whose figures decide nothing. @param {string} dir */
async function check (dir) {
  const { record } = await runCheck({ entry, dir, speed: false, seed: 'plan' })
  assertValid(record)
  return record
}

test('a load plan is read and tried, and passes each check', async (t) => {
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

test('a load plan that measures itself is refused before it is tried', async (t) => {
  const record = await check(planOf(t, plan.replace('connections: 8', 'rate: 99')))
  refused(record, shows, /sends 99 requests\/s/)
  assert.equal(record.rounds.length, 0)
})

test('what is no load plan is told in one sentence, and no secret reaches it', async (t) => {
  setVariables(t, { MAKE_IT_FAST_TEST_SECRET: 'hidden' })
  refused(await check(planOf(t, 'export const x = 1')), isPlan, /must `export default`/)
  for (const [source, message] of /** @type {[string, RegExp][]} */ ([
    [
      `export default { compare: { rat: 6, duration: 1, report: 'p50' }, ${tail} }`,
      /In `compare`: There is no field `rat`: did you mean `rate`\?/
    ],
    ['export default { compare: { report: () => 1 } }', /`compare\.report` in load\.js isn’t plain data/],
    ['export default { compare: { get rate () { return 8 } } }', /`compare\.rate` in load\.js isn’t plain data/],
    ['export default new Proxy({}, {})', /exports a Proxy, which isn’t plain data/],
    ['export default { tail: new Proxy({}, {}) }', /`tail` in load\.js isn’t plain data/],
    ['export default {', /load\.js cannot be read: SyntaxError/],
    ['throw new Error("boom")', /load\.js cannot be read: Error: boom \(load\.js:1\)/],
    [
      'process.send(null); process.send({ id: 2 }); export default {}',
      /load\.js tampers with the process that reads it/
    ],
    [
      'process.send({ id: 2, value: { value: { users: 0 }, problem: null } }); export default {}',
      /`compare` is missing/
    ],
    ['process.exit(0)', /load\.js ended the process that read it/],
    ["throw new Error(process.env.MAKE_IT_FAST_TEST_SECRET ?? 'no secret')", /Error: no secret/]
  ])) {
    refused(await check(planOf(t, source)), isPlan, message)
  }
})

test('a load plan can be tried once, without a verdict', async (t) => {
  const own = entry.lesson.check
  assert.ok(own)
  const given = { entry, seed: 'x', longestMs: 300, signal: new AbortController().signal }
  const { figures: [faster, slower], unit, answers } = await benchOwn(own, { ...given, dir: planOf(t, saturating(9)) })
  assert.ok(faster && slower && faster > slower, `${faster} and ${slower}`)
  assert.equal(unit, 'requests/s')
  assert.ok(answers > 0)
  await assert.rejects(benchOwn(own, { ...given, dir: planOf(t, 'export default {}') }), /`compare` is missing/)
})

/** What the gates say of a plan. @param {any} plan @param {string} [seed] */
async function gatesOf (plan, seed = 'gates') {
  const startedAt = Date.now()
  const { gates, rounds } = await compareAll(/** @type {any} */ ({
    gates: entry.lesson.gates,
    plan,
    random: createRandom(seed),
    clock: { elapsedMs: () => Date.now() - startedAt },
    speed: true,
    onProgress: () => {}
  }))
  assert.ok(rounds.length <= gates.length * mostRounds)
  return Object.fromEntries(gates.map(({ name, verdict }) => [name, verdict]))
}

const { default: reference } = await import('../../solutions/07-blind-benchmark/load.js')

for (const seed of ['one', 'two', 'three']) {
  test(`the reference passes each gate with the seed ${seed}`, async () => {
    assert.deepEqual(await gatesOf(reference, seed), { 'slower server': 'pass', twins: 'pass', pauses: 'pass' })
  })
}

test('each gate refuses a load that can’t see what it’s about', async () => {
  const { compare, tail } = reference
  const blind = {
    compare: { ...compare, connections: undefined, rate: 60 },
    tail: { ...tail, rate: undefined, connections: 8 }
  }
  assert.deepEqual(await gatesOf(blind), { 'slower server': 'fail', twins: 'pass', pauses: 'fail' })
  assert.equal((await gatesOf({ compare: { ...compare, warmup: 0, rounds: 3 }, tail })).twins, 'fail')
})

test('results that scatter are told from a plan that is wrong', () => {
  const gate = /** @type {any} */ ({
    name: 'twins',
    verdict: 'inconclusive',
    ratio: 1.09,
    ratioUnit: '×',
    interval95: null,
    interval: null,
    direction: 'at most',
    target: 1.1,
    tiers: null,
    moreSeconds: null,
    rounds: mostRounds
  })
  assert.match(decideOnPlan({ ...newEvidence(), gates: [gate] }).next, /results vary too much/)
})
