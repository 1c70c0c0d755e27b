import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { writeLesson } from '../../runner/workspace/write-lesson.js'
import { runNode } from '../cli/run.js'
import { temporaryFolder } from '../temporary.js'
import { lineOf, sumUp } from './check-submissions.js'

/** @import { ResultRecord } from '../../runner/judge/index.js' */

const main = path.join(import.meta.dirname, 'main.js')

test('a pack’s submissions are tried, a line each; one that isn’t as it should be ends with 1', async (t) => {
  const root = temporaryFolder(t)
  await writeLesson({ number: 1, id: 'cold-start', folder: '01-cold-start', title: 'Cold start' }, root)
  const run = () => runNode([main, 'lesson-1', '--no-speed', '--lessons', root], {})
  const good = await run()
  assert.equal(good.code, 0, good.stderr)
  const [wrong, right, , summary] = good.stdout.split('\n')
  assert.match(wrong, /^✓ 01-cold-start: invalid-[\w-]+: fail, [\d.]+ s\. /)
  assert.match(right, /^✓ 01-cold-start: valid-plain-http: inconclusive, [\d.]+ s\. Every answer is right/)
  assert.equal(summary, '2 submissions tried, all as they should be.')

  const server = path.join(root, 'test', 'submissions', '01-cold-start', 'valid-plain-http', 'server.js')
  fs.writeFileSync(server, fs.readFileSync(server, 'utf8').replaceAll('404', '410'))
  const bad = await run()
  assert.equal(bad.code, 1)
  assert.match(bad.stdout, /✗ 01-cold-start: valid-plain-http: fail: Not every answer is right.* seed /)
  assert.match(bad.stdout, /2 submissions tried, 1 not as they should be\./)
})

test('a fault is told in one line, with the verdict and the seed', () => {
  const seen = { verdict: 'pass', reason: 'Right and fast.', durationMs: 4200, seed: 's' }
  const record = /** @type {ResultRecord} */ (seen)
  assert.equal(lineOf('a', record, null), '✓ a: pass, 4.2 s. Right and fast.')
  assert.equal(lineOf('a', record, 'it passes\n+ more'), '✗ a: it passes (pass, 4.2 s, seed s)')
  assert.match(sumUp(0, 0), /no submissions/)
})
