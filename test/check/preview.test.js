import assert from 'node:assert/strict'
import test from 'node:test'
import { check, slow, solution, submission, variant } from './mini.js'

/** @import { CheckProgress } from '../../runner/judge/index.js' */

test('a preview shows a ratio before it has checked the answers, and isn’t a verdict', async () => {
  /** @type {CheckProgress[]} */
  const events = []
  const record = await check(solution, { speed: 'preview', onProgress: (event) => events.push(event) })
  assert.equal(record.verdict, 'inconclusive')
  assert.ok(Number(record.gates[0].ratio) > 0)
  assert.equal(record.rounds.length, 1)
  const types = events.map(({ type }) => type)
  assert.ok(types.indexOf('round') < types.indexOf('check'), types.join(' '))
  assert.equal(types.includes('verdict'), false)
  assert.ok(record.contract.length > 0)
  assert.ok(record.contract.every(({ status }) => status === 'pass'))
  assert.ok(record.load.requests > 0)
})

test('a wrong answer fails at once: one to the load, and one that only a check requests', async (t) => {
  const wrong = await check(submission(t, variant({ handler: 'return res.end("{}")' })), { speed: 'preview' })
  assert.equal(wrong.verdict, 'fail')
  assert.equal(wrong.contract.length, 0)
  const refused = variant({}).replace('res.statusCode = 404', 'res.statusCode = 200')
  const rude = await check(submission(t, refused), { speed: 'preview' })
  assert.equal(rude.verdict, 'fail')
  assert.ok(Number(rude.gates[0].ratio) > 0)
})

test('a server that does not start is said to', async (t) => {
  const record = await check(submission(t, 'throw new Error("no")'), { speed: 'preview' })
  assert.equal(record.verdict, 'fail')
  assert.match(record.reason, /^server\.js ended with exit code 1 before it listened/)
  assert.ok(record.output.length > 0)
})

test('the slow server has about its own speed', async () => {
  const record = await check(slow, { speed: 'preview' })
  assert.notEqual(record.verdict, 'pass')
  assert.ok(Number(record.gates[0].ratio) > 0)
})
