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
  const server = path.join(root, 'test', 'submissions', '01-cold-start', 'valid-plain-http', 'server.js')
  fs.writeFileSync(server, fs.readFileSync(server, 'utf8').replaceAll('404', '410'))
  const { code, stdout, stderr } = await runNode([main, 'lesson-1', '--no-speed', '--lessons', root], {})
  assert.equal(code, 1, stderr)
  const [slow, reference, wrong, right, , summary] = stdout.split('\n')
  assert.match(slow, /^✓ 01-cold-start: the slow server: right, [\d.]+ s\.$/)
  assert.match(reference, /^✓ 01-cold-start: the reference: right, /)
  assert.match(wrong, /^✓ 01-cold-start: invalid-[\w-]+: refused, /)
  assert.match(right, /^✗ 01-cold-start: valid-plain-http: it should be right, but: .* expected 404 .*, got 410 /)
  assert.equal(summary, '4 submissions tried, 1 not as they should be.')
})

test('a fault is told in one line, with the verdict and the seed', () => {
  const seen = { verdict: 'pass', reason: 'Right and fast.', durationMs: 4200, seed: 's' }
  const record = /** @type {ResultRecord} */ (seen)
  assert.equal(lineOf('a', record, null), '✓ a: pass, 4.2 s. Right and fast.')
  assert.equal(lineOf('a', record, 'it passes\n+ more'), '✗ a: it passes (pass, 4.2 s, seed s)')
  assert.match(sumUp(0, 0), /no submissions/)
})
