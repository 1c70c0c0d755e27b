import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import test from 'node:test'
import { execute } from '../../../runner/contract/execute.js'
import { createTurns, inOrderOf } from '../../../runner/contract/run-model-test.js'
import { httpServer } from '../../load/trap-server.js'

/** @import { Operation, Step } from '../../../runner/contract/index.js' */

/** @type {Operation} */
const operation = { rule: 'answers', draw: () => null }

test('a conditional request accepts the coding in which its tag came, and no other request changes', async (t) => {
  const server = await httpServer((req, res) => {
    const isPacked = /gzip/.test(`${req.headers['accept-encoding']}`)
    const tag = isPacked ? '"packed"' : '"plain"'
    if (req.headers['if-none-match'] === tag) return res.writeHead(304).end()
    res.writeHead(200, { ETag: tag, ...isPacked && { 'Content-Encoding': 'gzip' } })
    res.end(isPacked ? gzipSync('text') : 'text')
  })
  t.after(server.close)
  /** @type {Step[]} */
  const steps = []
  /** @param {string | undefined} accepts @param {Step['asked']} asked */
  const take = (accepts, asked) => {
    const transport = { fresh: false, chunked: false, accepts }
    steps.push({ id: steps.length + 1, name: 'read', operation, asked, transport })
    return steps[steps.length - 1]
  }
  for (const [first, second] of [['gzip', undefined], [undefined, 'gzip']]) {
    const read = take(first, { path: '/' })
    const copyOf = (/** @type {Step} */ earlier) => take(second, (answerOf) =>
      ({ path: '/', headers: { 'If-None-Match': String(answerOf(earlier).headers.etag) } }))
    copyOf(read)
    take(second, (answerOf) => ({ path: `/?${answerOf(read).status}` }))
  }
  const { outcomes } = await execute(steps.map((step) => ({ steps: [step] })), {
    server: /** @type {any} */ ({ origin: `http://127.0.0.1:${server.port}`, hasExited: () => false }),
    events: /** @type {any} */ ({}),
    inTurn: true
  })
  const seen = steps.map((step) => {
    const outcome = outcomes.get(step)
    return outcome && 'answer' in outcome ? `${outcome.answer.status} ${outcome.answer.headers.etag ?? ''}` : outcome
  })
  assert.deepEqual(seen, ['200 "packed"', '304 ', '200 "plain"', '200 "plain"', '304 ', '200 "packed"'])
})

test('what was asked at once is asked of the slow server in the order in which yours responded', async () => {
  const turns = createTurns()
  const [one, other, alone] = [1, 2, 3].map((id) => /** @type {any} */ ({ id }))
  const [together, single, later] = [{ steps: [one, other] }, { steps: [alone] }, { steps: [one, alone] }]
  const asked = turns.stepsOf(together)
  assert.deepEqual(await turns.stepsOf(single), [alone])
  const outcomes = new Map([[other, null], [one, null]])
  turns.note(together, { outcomes })
  assert.deepEqual(await asked, [other, one])
  assert.deepEqual(inOrderOf({ outcomes })(together).steps, [other, one])

  // Yours gets no further: then it's asked as it was drawn.
  const last = turns.stepsOf(later)
  turns.end()
  assert.deepEqual(await last, [one, alone])
})
