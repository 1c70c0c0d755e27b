import assert from 'node:assert/strict'
import test from 'node:test'
import { check, slow, solution } from './mini.js'

/** @import { CheckProgress } from '../../runner/judge/index.js' */

test('an inconclusive check leaves its rounds, and the next one goes on with them', async () => {
  /** @type {any} */
  let left = null
  // There is time for one round.
  const onUnfinished = (/** @type {any} */ unfinished) => { left = unfinished }
  const first = await check(solution, { budgetMs: 1, sampleInside: false, onUnfinished })
  assert.equal(first.verdict, 'inconclusive', first.reason)
  // Of a folder that is not the learner's copy nothing is kept.
  assert.match(first.next, /--seconds 60/)
  assert.equal(left.rounds.length, first.rounds.length)
  // It has to survive a file.
  const earlier = JSON.parse(JSON.stringify(left))
  /** @type {CheckProgress[]} */
  const events = []
  const onProgress = (/** @type {CheckProgress} */ event) => events.push(event)
  const second = await check(solution, { earlier, budgetMs: 20_000, sampleInside: false, onProgress })
  assert.deepEqual(second.rounds.slice(0, first.rounds.length), first.rounds)
  assert.ok(second.rounds.length > first.rounds.length)
  const load = (/** @type {string} */ name) => second.rounds.filter((round) => round.load === name)
  assert.deepEqual(load('next').map(({ number }) => number), load('next').map((_, at) => at + 1))
  assert.equal(second.seed, first.seed)
  // The contract has passed before, and is asked again after the load only.
  assert.equal(events.some((event) => event.type === 'phase' && event.phase === 'contract'), false)
  assert.deepEqual(second.contract.map(({ when }) => when).sort(), first.contract.map(({ when }) => when).sort())
})

test('the slow server itself fails after one round, without a question to it', async () => {
  const record = await check(slow)
  assert.equal(record.verdict, 'fail')
  assert.match(record.reason, /^This is the slow server, unchanged/)
  assert.deepEqual([record.rounds.length, record.contract.length], [1, 0])
  assert.deepEqual(record.gates.filter(({ verdict }) => verdict === 'fail').map(({ ratio }) => ratio).includes(1), true)
  assert.notEqual(record.next, '')
})
