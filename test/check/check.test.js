import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { check, checkWhole, root, slow, solution, submission, variant } from './mini.js'
import { setVariables } from '../environment.js'
import { temporaryFolder } from '../temporary.js'
import { assertValid } from '../valid-record.js'

/**
 * What a check does from its beginning to its end, with real servers and real load. What it makes of their figures is
 * tried in rounds/rounds.test.js, and what takes it seconds in check.load.test.js.
 *
 * @import { CheckProgress, ResultRecord } from '../../runner/judge/index.js'
 */

/** Refused, for this reason; and the record is whole. @param {ResultRecord} record @param {RegExp} reason */
function refused (record, reason) {
  assert.equal(record.verdict, 'fail', record.reason)
  assert.match([record.reason, ...record.contract.map(({ message }) => message)].join('\n'), reason)
  assert.notEqual(record.next, '')
  assertValid(record)
}

/** @param {ResultRecord} record */
function allRight (record) {
  assertValid(record)
  assert.equal(record.verdict, 'inconclusive', record.reason)
  assert.ok(record.load.requests > 0)
  assert.deepEqual([record.load.errors, record.load.non2xx, record.load.mismatches], [0, 0, 0])
  assert.deepEqual(record.contract.filter(({ status }) => status === 'fail'), [])
}

test('without the time for a verdict it is inconclusive, and the next check goes on with its rounds', async () => {
  // There is time for one round.
  const options = { budgetMs: 1 }
  const { record: first, unfinished: left } = await checkWhole(solution, { ...options, sampleInside: true })
  allRight(first)
  assert.deepEqual(first.contract.map(({ when }) => when), ['before', 'before', 'before', 'after', 'after'])
  // Of a folder that is not the learner's copy nothing is kept.
  assert.match(first.next, /--seconds 60/)
  const seen = first.mechanism?.figures.map(({ name }) => name) ?? []
  for (const name of ['CPU time for one answer', 'serving thread busy', 'heap after the load']) {
    assert.ok(seen.includes(name), `${name} is missing in ${seen.join(', ')}`)
  }
  assert.ok(Number(first.gates[0].limit) > 0)
  assert.equal(left?.rounds.length, first.rounds.length)
  // It has to survive a file.
  const earlier = JSON.parse(JSON.stringify(left))
  /** @type {CheckProgress[]} */
  const events = []
  const second = await check(solution, { ...options, earlier, onProgress: (event) => events.push(event) })
  allRight(second)
  assert.deepEqual(second.rounds.map(({ number }) => number), [1, 2])
  assert.deepEqual(second.rounds[0], first.rounds[0])
  assert.equal(second.seed, first.seed)
  // The contract has passed before, and is asked again after the load only.
  assert.equal(events.some((event) => event.type === 'phase' && event.phase === 'contract'), false)
  assert.deepEqual(second.contract.map(({ when }) => when).sort(), first.contract.map(({ when }) => when).sort())
})

test('a preview shows a ratio before it has checked the answers, and isn’t a verdict', async () => {
  /** @type {CheckProgress[]} */
  const events = []
  const record = await check(solution, { speed: 'preview', onProgress: (event) => events.push(event) })
  allRight(record)
  assert.ok(Number(record.gates[0].ratio) > 0)
  assert.equal(record.rounds.length, 1)
  const types = events.map(({ type }) => type)
  assert.ok(types.indexOf('round') < types.indexOf('check'), types.join(' '))
  assert.equal(types.includes('verdict'), false)
  assert.ok(record.contract.length > 0)
})

test('a wrong answer is refused before anything is measured; the seed repeats what was asked', async (t) => {
  const wrong = submission(t, variant({ handler: 'return res.end(JSON.stringify({ next: n, secret }))' }))
  const messages = []
  for (const seed of ['one', 'one', 'two']) {
    const record = await check(wrong, { seed })
    refused(record, /2 checks failed\. The first one: a correct server adds one\.\n+GET \/\d+: expected \d+, got \d+/)
    assert.deepEqual([record.rounds, record.gates], [[], []])
    messages.push(record.contract[0].message)
  }
  assert.equal(messages[0], messages[1])
  assert.notEqual(messages[0], messages[2])
})

test('a 500 under load only is refused, and counted', async (t) => {
  const handler = 'if (count > 25) { res.statusCode = 500; return res.end("{}") }'
  const record = await check(submission(t, variant({ handler })))
  refused(record, /An answer was wrong under load: GET \/\d+: expected status 200, got 500/)
  assert.ok(record.load.non2xx > 0)
})

test('a server that does not start is refused with what it said', async (t) => {
  const record = await check(submission(t, 'import http from \'node:http\'\nhttp.createServer(\n'))
  refused(record, /^server\.js ended with exit code 1 before it listened on process\.env\.PORT: SyntaxError/)
  assert.match(record.output[0].text, /SyntaxError/)
})

test('a slow server whose file is changed meanwhile decides nothing', async (t) => {
  const copy = temporaryFolder(t)
  fs.cpSync(slow, copy, { recursive: true })
  const loaded = await loadLesson(await resolveLesson('mini', { env: { MAKE_IT_FAST_LESSONS: root } }))
  const before = `fs.appendFileSync(${JSON.stringify(path.join(copy, 'server.js'))}, '\\n')`
  const entry = { ...loaded, slowDir: copy }
  const record = await check(submission(t, variant({ before })), { entry, speed: false })
  assert.equal(record.verdict, 'error', record.reason)
  assert.match(record.reason, /server\.js was changed while the check ran/)
  assert.ok(record.load.requests > 0)
  assertValid(record)
})

test('the temporary folder that cannot be written is named with the fix', async (t) => {
  setVariables(t, { TMPDIR: path.join(submission(t, ''), 'nowhere') })
  await assert.rejects(
    check(solution),
    /The temporary folder .* cannot be written \(ENOENT\): free some space there, or set TMPDIR to another folder/
  )
})
