import assert from 'node:assert/strict'
import path from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { runCheck } from '../../runner/check/index.js'
import { repeated } from '../repeated.js'
import { assertValid } from '../valid-record.js'
import { submission } from './mini.js'

/** @import { GateResult, ResultRecord } from '../../runner/judge/index.js' */

const root = fileURLToPath(new URL('kinds-root/', import.meta.url))

const budgetsMs = [3000, 8000, 20_000]

/**
 * @param {string} lesson
 * @param {string} dir
 * @param {(record: ResultRecord) => void} shows
 * @param {(record: ResultRecord) => void} never
 */
async function check (lesson, dir, shows, never) {
  const entry = await loadLesson(await resolveLesson(lesson, { env: { MAKE_IT_FAST_LESSONS: root } }))
  const measure = (/** @type {number} */ budgetMs) => {
    return runCheck({ entry, dir, budgetMs, sampleInside: false, seed: `${lesson} ${budgetMs}` })
  }
  await repeated(budgetsMs, measure, shows, (record) => {
    assertValid(record)
    never(record)
  })
}

/** @param {ResultRecord} record */
const notPassed = ({ verdict, reason }) => assert.notEqual(verdict, 'pass', reason)
/** @param {ResultRecord} record */
const notFailed = ({ verdict, reason }) => assert.notEqual(verdict, 'fail', reason)

/** @param {ResultRecord} record @param {string} name */
const gateOf = (record, name) => /** @type {GateResult} */ (record.gates.find((gate) => gate.name === name))

test('what each request leaves behind is measured, and a server that keeps nothing is never failed', async () => {
  await check('kept', path.join(root, 'solutions', '01-kept'), (record) => {
    const { baseline, yours } = gateOf(record, 'retained')
    assert.ok(baseline && baseline > 100_000, `the slow server keeps 160,000 bytes of each request, seen: ${baseline}`)
    assert.ok(yours && yours < 40_000, `${yours}`)
    assert.equal(gateOf(record, 'calls').yours, 1)
  }, (record) => {
    notFailed(record)
    assert.deepEqual(record.contract.filter(({ status }) => status === 'fail'), [])
  })
})

test('a leak outside of the heap is seen as well', async (t) => {
  const dir = submission(t, `import http from 'node:http'
const kept = []
http.createServer(async (req, res) => {
  const answer = await fetch(process.env.UPSTREAM_URL + req.url)
  kept.push(Buffer.alloc(160_000, 1))
  res.end(await answer.text())
}).listen(process.env.PORT, process.env.HOST)`)
  await check('kept', dir, (record) => assert.notEqual(gateOf(record, 'retained').verdict, 'pass'), notPassed)
})

test('who asks the upstream more often is refused for it', async (t) => {
  const dir = submission(t, `import http from 'node:http'
http.createServer(async (req, res) => {
  await (await fetch(process.env.UPSTREAM_URL + req.url)).text()
  const answer = await fetch(process.env.UPSTREAM_URL + req.url)
  res.end(await answer.text())
}).listen(process.env.PORT, process.env.HOST)`)
  await check('kept', dir, (record) => assert.equal(gateOf(record, 'calls').yours, 2), notPassed)
})

test('who closes the inspector is told so in one sentence', async (t) => {
  const dir = submission(t, `import http from 'node:http'
import inspector from 'node:inspector'

inspector.close()
http.createServer(async (req, res) => {
  const answer = await fetch(process.env.UPSTREAM_URL + req.url)
  res.end(await answer.text())
}).listen(process.env.PORT, process.env.HOST)`)
  await check('kept', dir, (record) => {
    assert.equal(record.verdict, 'fail')
    assert.match(record.reason, /its memory couldn’t be read .+: leave the inspector alone/)
  }, notPassed)
})

test('requests arrive at a multiple of the measured capacity, and refusals are counted apart', async () => {
  await check('arrivals', path.join(root, 'solutions', '02-arrivals'), (record) => {
    const wait = gateOf(record, 'wait')
    assert.ok(wait.baseline && wait.yours && wait.baseline > wait.yours, `${wait.baseline} ${wait.yours}`)
    assert.equal(gateOf(record, 'refusals').ratioUnit, ' ms')
    const tiers = gateOf(record, 'tiers')
    assert.deepEqual(tiers.tiers?.map(({ name }) => name), ['low', 'high'])
  }, (record) => {
    notFailed(record)
    assert.notEqual(gateOf(record, 'tiers').tiers?.[1].verdict, 'pass')
  })
})

test('a server that refuses every client doesn’t pass', async (t) => {
  const dir = submission(t, `import http from 'node:http'
let first = true
http.createServer((req, res) => {
  if (!first) res.statusCode = 503
  first = false
  res.end('done')
}).listen(process.env.PORT, process.env.HOST)`)
  await check('arrivals', dir, () => {}, notPassed)
})
