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
  const flags = ['--no-speed', '--only', 'valid-', '--lessons', root]
  const { code, stdout, stderr } = await runNode([main, 'lesson-1', ...flags])
  assert.equal(code, 1, stderr)
  const [wrong, suspect, fault, ...end] = stdout.split('\n')
  assert.match(wrong, /^✓ 01-cold-start: invalid-[\w-]+: refused, [\d.]+ s\.$/)
  assert.match(suspect, /^\? 01-cold-start: valid-plain-http: it should be right, but: .* It’s tried again at the end/)
  assert.match(fault, /^✗ 01-cold-start: valid-plain-http: it should be right, but: .* expected 404 .*, got 410 /)
  assert.deepEqual(end, [
    '',
    fault,
    '',
    'Try one again, with the same seed:',
    '  npm run check:submissions -- --no-speed --only "01-cold-start: valid-plain-http"',
    '',
    '2 submissions tried, 1 not as they should be.',
    ''
  ])
})

test('a fault is told in one line, with the verdict and the seed', () => {
  const seen = { verdict: 'pass', reason: 'Right and fast.', durationMs: 4200, seed: 's' }
  const record = /** @type {ResultRecord} */ (seen)
  assert.equal(lineOf('a', record, null), '✓ a: pass, 4.2 s. Right and fast.')
  assert.equal(lineOf('a', record, 'it passes\n+ more'), '✗ a: it passes (pass, 4.2 s, seed s)')
  assert.match(sumUp([]), /no submissions/)
})
