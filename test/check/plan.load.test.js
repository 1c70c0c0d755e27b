import assert from 'node:assert/strict'
import inspector from 'node:inspector'
import test from 'node:test'
import { runCheck } from '../../runner/check/index.js'
import { loadPlanChecks } from '../../runner/lesson/index.js'
import { findLeftovers } from '../leftovers.js'
import { assertValid } from '../valid-record.js'
import { entry, planOf, refused, saturating } from './plans.js'

const linux = { skip: process.platform === 'linux' ? false : 'sends a signal' }
const plan = saturating(4)

/** @param {string} dir */
async function check (dir) {
  const record = await runCheck({ entry, dir, seed: 'plan' })
  assertValid(record)
  return record
}

test('a load plan that saturates the server in turns is never ' +
  'failed, and shows the figures of both servers', async (t) => {
  const record = await check(planOf(t, plan))
  assert.notEqual(record.verdict, 'fail', record.reason)
  assert.deepEqual(
    record.contract.map(({ name, status }) => [name, status]),
    Object.values(loadPlanChecks).map((name) => [name, 'pass'])
  )
  const [apart] = record.gates
  assert.ok(apart.baseline && apart.yours && apart.baseline > apart.yours, `${apart.baseline} ${apart.yours}`)
  assert.equal(record.rounds[0].servers?.[0], 'faster')
})

test('a load.js that never ends is refused', async (t) => {
  const record = await check(planOf(t, 'await new Promise((resolve) => setTimeout(resolve, 60000))'))
  refused(record, loadPlanChecks.isPlan, /load\.js was not read within 5 s/)
})

test('what load.js starts is stopped', async (t) => {
  const source = `import { spawn } from 'node:child_process'
spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' }).unref()
${plan.replace('rounds: 4', 'rounds: 40')}`
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
${plan}`)
  await runCheck({ entry, dir, speed: false, seed: 'plan' })
  // That process is this one.
  assert.equal(inspector.url(), undefined)
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
