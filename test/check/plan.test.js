import assert from 'node:assert/strict'
import fs from 'node:fs'
import inspector from 'node:inspector'
import path from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { runCheck, tryLoadPlan } from '../../runner/check/index.js'
import { loadLesson, loadPlanChecks, resolveLesson } from '../../runner/lesson/index.js'
import { compareAll } from '../../runner/check/load-plan/compare-all.js'
import { decideOnLoadPlan } from '../../runner/check/load-plan/decide-on-plan.js'
import { leastRounds, newEvidence } from '../../runner/judge/index.js'
import { findLeftovers } from '../leftovers.js'
import { setVariables } from '../environment.js'
import { temporaryFolder } from '../temporary.js'
import { assertValid } from '../valid-record.js'

const root = fileURLToPath(new URL('kinds-root/', import.meta.url))
const entry = await loadLesson(await resolveLesson('plan', { env: { MAKE_IT_FAST_LESSONS: root } }))
const linux = { skip: process.platform === 'linux' ? false : 'sends a signal' }
const saturating =
  "export default { users: 6, paths: ['/work'], warmUpMs: 20, durationMs: 80, rounds: 4, figure: 'rate' }"

/** @param {import('node:test').TestContext} t @param {string} source of load.js */
function planOf (t, source) {
  const dir = temporaryFolder(t, 'mif-plan-')
  fs.writeFileSync(path.join(dir, 'load.js'), source)
  fs.writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}')
  return dir
}

/** @param {string} dir */
async function check (dir) {
  const record = await runCheck({ entry, dir, seed: 'plan' })
  assertValid(record)
  return record
}

/** @param {any} record @param {string} name @param {RegExp} message */
function refused (record, name, message) {
  assert.equal(record.verdict, 'fail', record.reason)
  const failed = record.contract.filter((/** @type {any} */ { status }) => status === 'fail')
  assert.deepEqual(failed.map((/** @type {any} */ { name }) => name), [name])
  assert.match(failed[0].message, message)
}

test('a load plan that saturates the server in turns is never ' +
  'failed, and shows the figures of both servers', async (t) => {
  const record = await check(planOf(t, saturating))
  assert.notEqual(record.verdict, 'fail', record.reason)
  assert.deepEqual(
    record.contract.map(({ name, status }) => [name, status]),
    Object.values(loadPlanChecks).map((name) => [name, 'pass'])
  )
  const [apart] = record.gates
  assert.ok(apart.baseline && apart.yours && apart.baseline > apart.yours, `${apart.baseline} ${apart.yours}`)
  assert.equal(record.rounds[0].servers?.[0], 'faster')
})

test('a latency tells the slower server by a larger figure', async (t) => {
  const record = await check(
    planOf(t, "export default { users: 2, paths: ['/work'], durationMs: 80, rounds: 4, figure: 'p50' }")
  )
  assert.notEqual(record.verdict, 'fail', record.reason)
  assert.equal(record.gates[0].unit, 'ms')
  assert.ok(Number(record.gates[0].ratio) > 1.3, `${record.gates[0].ratio}`)
})

test('a load that limits itself tells nothing', async (t) => {
  const record = await check(
    planOf(t, "export default { rate: 25, paths: ['/work'], durationMs: 400, rounds: 1, figure: 'rate' }")
  )
  assert.notEqual(record.verdict, 'pass', record.reason)
  assert.notEqual(record.gates[0].verdict, 'pass')
})

test('a load plan that measures errors is refused with the first of them', async (t) => {
  refused(
    await check(planOf(t, saturating.replace('/work', '/werk'))),
    loadPlanChecks.right,
    /GET \/werk: expected status 200, got 404/
  )
})

test('a load plan that takes too long is refused before it is run', async (t) => {
  refused(
    await check(planOf(t, saturating.replace('rounds: 4', 'rounds: 40'))),
    loadPlanChecks.fits,
    /takes 6\.44 s .+; there are 1 s for it/
  )
})

test('what is no load plan is refused in one sentence', async (t) => {
  for (const [source, message] of /** @type {[string, RegExp][]} */ ([
    ['export const x = 1', /must `export default`/],
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
    ['export default {', /load\.js cannot be read: SyntaxError/],
    ['throw new Error("boom")', /load\.js cannot be read: Error: boom \(load\.js:1\)/],
    [
      'process.send(null); process.send({ id: 2 }); export default {}',
      /load\.js tampers with the process that reads it/
    ],
    ['process.send({ id: 2, value: { plan: { users: 0 }, problem: null } }); export default {}', /`paths` is missing/],
    ['process.exit(0)', /load\.js ended the process that read it/],
    ['await new Promise((resolve) => setTimeout(resolve, 60000))', /load\.js was not read within 5 s/]
  ])) { refused(await check(planOf(t, source)), loadPlanChecks.isPlan, message) }
})

test('what load.js starts is stopped', async (t) => {
  const source = `import { spawn } from 'node:child_process'
spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' }).unref()
${saturating.replace('rounds: 4', 'rounds: 40')}`
  const dir = planOf(t, source)
  const before = findLeftovers()
  await check(dir)
  assert.deepEqual(findLeftovers().filter((what) => !before.includes(what)), [])
})

test('load.js cannot open the inspector of the process that grades it', linux, async (t) => {
  const attacks = new URL('../red-team/attacks/shared/signal.js', import.meta.url).href
  const dir = planOf(t, `import { signal } from '${attacks}'
signal(process.ppid, 'SIGUSR1')
await new Promise((resolve) => setTimeout(resolve, 300))
${saturating}`)
  await runCheck({ entry, dir, speed: false, seed: 'plan' })
  // That process is this one.
  assert.equal(inspector.url(), undefined)
})

test('secrets of the environment stay out of the reach of load.js', async (t) => {
  setVariables(t, { MAKE_IT_FAST_TEST_SECRET: 'hidden' })
  const record = await check(planOf(t, "throw new Error(process.env.MAKE_IT_FAST_TEST_SECRET ?? 'nothing')"))
  refused(record, loadPlanChecks.isPlan, /Error: nothing/)
})

test('a load plan can be tried once, and long runs are cut', async (t) => {
  const dir = planOf(t, "export default { users: 2, paths: ['/work'], durationMs: 60000, figure: 'rate' }")
  const { figures, cut, unit } = await tryLoadPlan({
    entry,
    dir,
    seed: 'x',
    longestMs: 300,
    signal: new AbortController().signal
  })
  assert.ok(figures[0] && figures[1] && figures[0] > figures[1], String(figures))
  assert.equal(cut, true)
  assert.equal(unit, 'requests/s')
})

test('a queue that takes far longer than the runs which left it ends ' +
  'with the check, refuses no server and is named', async (t) => {
  const dir = planOf(t, "export default { users: 200, paths: ['/work'], durationMs: 10, rounds: 40, figure: 'rate' }")
  const before = findLeftovers()
  const record = await runCheck({ entry, dir, budgetMs: 3000, seed: 'plan' })
  assertValid(record)
  assert.equal(record.verdict, 'inconclusive')
  assert.match(
    record.reason,
    /ran out of time after 0 of the 3 comparisons that a verdict needs; with your load plan, one takes 0\.8 s\./
  )
  assert.match(record.next, /How long a queue does your load build up\?/)
  assert.ok(record.durationMs < 15_000, `${record.durationMs} ms`)
  assert.deepEqual(findLeftovers().filter((what) => !before.includes(what)), [])
})

test('a comparison that was given up isn’t tried again in the extra time for close ones', async () => {
  const server = { port: 1, hasExited: () => false }
  const session = { seed: 'given up', start: async () => ({ server }), stop: async () => {} }
  const { gates } = entry.lesson
  const compared = await compareAll(/** @type {any} */ ({
    entry,
    task: entry.lesson.plan,
    plan: { figure: 'rate' },
    session,
    sender: { compare: () => new Promise(() => {}) },
    startedAt: new Date(),
    softMs: 50,
    hardMs: 400,
    speed: true,
    onProgress: () => {}
  }))
  assert.equal(compared.givenUpMs.length, gates.length)
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
    decideOnLoadPlan({ ...newEvidence(), gates: [{ ...gate, rounds }] }, { asked: '2 s' })
  assert.match(open(leastRounds - 1).reason, /ran out of time after \d+ of the \d+ comparisons/)
  assert.doesNotMatch(open(8).reason, /ran out of time/)
  assert.match(open(8).next, /figures vary too much/)
})
