import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { runCheck } from '../../runner/check/index.js'
import { submission } from './mini.js'

/** @import { GateResult, ResultRecord } from '../../runner/judge/index.js' */

const root = fileURLToPath(new URL('kinds-root/', import.meta.url))
const schema = new URL('../../runner/report/result.schema.json', import.meta.url)
const validate = new Ajv().compile(JSON.parse(fs.readFileSync(schema, 'utf8')))

/** @param {string} lesson @param {string} dir */
async function check (lesson, dir) {
  const entry = await loadLesson(await resolveLesson(lesson, { env: { MAKE_IT_FAST_ROOT: root } }))
  const record = await runCheck({ entry, dir, budgetMs: 4000, look: false })
  assert.ok(validate(record), JSON.stringify(validate.errors))
  return record
}

/** @param {ResultRecord} record @param {string} name */
const gateOf = (record, name) => /** @type {GateResult} */ (record.gates.find((gate) => gate.name === name))

test('what each request leaves behind is measured, and a server that keeps nothing is never failed', async () => {
  const record = await check('kept', path.join(root, 'solutions', '01-kept'))
  assert.notEqual(record.verdict, 'fail', record.reason)
  assert.deepEqual(record.contract.filter(({ status }) => status === 'fail'), [])
  const { baseline, yours } = gateOf(record, 'retained')
  assert.ok(baseline && baseline > 100_000, `the slow server keeps 160,000 bytes of each request, seen: ${baseline}`)
  assert.ok(yours && yours < 40_000, `${yours}`)
  assert.equal(gateOf(record, 'calls').yours, 1)
})

test('a leak outside of the heap is seen as well', async (t) => {
  const dir = submission(t, `import http from 'node:http'
const kept = []
http.createServer(async (req, res) => {
  const answer = await fetch(process.env.UPSTREAM_URL + req.url)
  kept.push(Buffer.alloc(160_000, 1))
  res.end(await answer.text())
}).listen(process.env.PORT, process.env.HOST)`)
  const record = await check('kept', dir)
  assert.notEqual(record.verdict, 'pass')
  assert.notEqual(gateOf(record, 'retained').verdict, 'pass')
})

test('who asks the upstream more often is refused for it', async (t) => {
  const dir = submission(t, `import http from 'node:http'
http.createServer(async (req, res) => {
  await (await fetch(process.env.UPSTREAM_URL + req.url)).text()
  const answer = await fetch(process.env.UPSTREAM_URL + req.url)
  res.end(await answer.text())
}).listen(process.env.PORT, process.env.HOST)`)
  const record = await check('kept', dir)
  assert.notEqual(record.verdict, 'pass')
  assert.equal(gateOf(record, 'calls').yours, 2)
})

test('who closes the inspector is told so in one sentence', async (t) => {
  const dir = submission(t, `import http from 'node:http'
import inspector from 'node:inspector'

inspector.close()
http.createServer(async (req, res) => {
  const answer = await fetch(process.env.UPSTREAM_URL + req.url)
  res.end(await answer.text())
}).listen(process.env.PORT, process.env.HOST)`)
  const record = await check('kept', dir)
  assert.equal(record.verdict, 'fail')
  assert.match(record.reason, /its memory could not be read .+: leave the inspector alone/)
})

test('requests arrive at a multiple of the measured capacity, and refusals are counted apart', async () => {
  const record = await check('arrivals', path.join(root, 'solutions', '02-arrivals'))
  assert.notEqual(record.verdict, 'fail', record.reason)
  const wait = gateOf(record, 'wait')
  assert.ok(wait.baseline && wait.yours && wait.baseline > wait.yours, `${wait.baseline} ${wait.yours}`)
  assert.equal(gateOf(record, 'refusals').ratioUnit, ' ms')
  const tiers = gateOf(record, 'tiers')
  assert.deepEqual(tiers.tiers?.map(({ name }) => name), ['low', 'high'])
  assert.notEqual(tiers.tiers?.[1].verdict, 'pass')
  assert.ok(tiers.limit && tiers.yours && tiers.limit > tiers.yours, 'a bare server is faster')
})

test('who refuses everybody is not passed', async (t) => {
  const dir = submission(t, `import http from 'node:http'
let first = true
http.createServer((req, res) => {
  if (!first) res.statusCode = 503
  first = false
  res.end('done')
}).listen(process.env.PORT, process.env.HOST)`)
  const record = await check('arrivals', dir)
  assert.notEqual(record.verdict, 'pass', record.reason)
})
