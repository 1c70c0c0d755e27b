import assert from 'node:assert/strict'
import test from 'node:test'
import { check, submission, variant } from './mini.js'

const loop = `function step (x) { return Math.sqrt(x) }
function spin () {
  let x = 1
  while (x > 0) x = step(x) + 1
}`

test('a server in an endless loop is told its function and line', async (t) => {
  const record = await check(submission(t, variant({ before: loop, handler: 'spin()' })), { speed: 'preview' })
  assert.equal(record.verdict, 'fail')
  assert.match(record.reason, /^GET \/\d+ got no answer: your server is busy in spin \(server\.js:\d+\) and doesn’t/)
})

test('so is one that never listens because of it', async (t) => {
  const record = await check(submission(t, `${loop}\nspin()\n`), { speed: 'preview' })
  assert.match(record.reason, /^server\.js never gets as far as listening: .* busy in spin \(server\.js:4\)/)
})

test('one that waits is told that it does', async (t) => {
  const record = await check(submission(t, variant({ handler: 'if (n > 3) return' })), { speed: 'preview' })
  assert.match(record.reason, /got no answer: your server is idle and waits\. .+ end the response\?$/)
})
