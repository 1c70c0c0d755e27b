import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { findSubmissions, regrade } from '../../runner/regrade/index.js'
import { root, solution } from '../check/mini.js'
import { runCommand } from '../cli/run.js'
import { temporaryFolder } from '../temporary.js'

/**
 * @import { TestContext } from 'node:test'
 * @import { Sandbox } from '../../runner/regrade/index.js'
 */

const env = { ...process.env, MAKE_IT_FAST_LESSONS: root }
/** @type {Sandbox} */
const none = { kind: 'none', enforced: [], missing: [], hierarchies: [], boundsProcesses: false }

/** A class that takes no benchmark: syntax errors, and a link to a file. @param {TestContext} t */
function someClass (t) {
  const dir = temporaryFolder(t)
  for (const folder of ['ada/lesson-1', 'bob/01-mini', 'eve/mini', 'eve/notes', '.git/lesson-1']) {
    fs.mkdirSync(path.join(dir, folder), { recursive: true })
  }
  for (const own of ['ada/lesson-1', 'bob/01-mini']) fs.writeFileSync(path.join(dir, own, 'server.js'), 'const = 1\n')
  fs.symlinkSync(path.join(solution, 'server.js'), path.join(dir, 'eve/mini/server.js'))
  return dir
}

test('a submission lies in a folder with the lesson’s name, or is the learner’s folder', async (t) => {
  const dir = someClass(t)
  const lesson = await resolveLesson('mini', { env })
  const found = async (/** @type {string} */ place, /** @type {object} */ options = {}) =>
    (await findSubmissions(place, { env, ...options })).map(({ learner, dir }) => [learner, path.basename(dir)])
  assert.deepEqual(await found(dir), [['ada', 'lesson-1'], ['bob', '01-mini'], ['eve', 'mini']])
  assert.deepEqual(await found(path.join(dir, 'eve'), { lesson }), [['mini', 'mini'], ['notes', 'notes']])
  await assert.rejects(found(path.join(dir, 'eve')), /There are no submissions in .*: they are looked for in DIR/)
  await assert.rejects(found(path.join(dir, 'none')), /There is no folder/)
})

test('a class is graded once, and what has changed once more', async (t) => {
  const dir = someClass(t)
  const out = temporaryFolder(t)
  const reports = ['--csv', `${out}/all.csv`, '--junit', `${out}/all.xml`, '--gradescope', `${out}/each`]
  const grade = (/** @type {string[]} */ ...more) => runCommand(['grade', dir, '--no-sandbox', ...more], { env })

  const first = await grade(...reports)
  assert.equal(first.code, 3, first.stderr)
  assert.match(first.stdout, /^ada +1 +✗ fail.* +server\.js:1 has a syntax error/m)
  assert.match(first.stdout, /^eve +1 +! error +There is no server\.js in .* or it’s a link/m)
  const read = (/** @type {string} */ name) => fs.readFileSync(path.join(out, name), 'utf8')
  assert.match(read('all.csv'), /\r\nada,1,Mini,fail,/)
  assert.match(read('all.xml'), /<testsuite name="Lesson 1 · Mini \(ada\)"/)
  assert.equal(JSON.parse(read('each/ada.json')).score, 0)

  fs.appendFileSync(path.join(dir, 'bob/01-mini/server.js'), '\n')
  const second = await grade('--json')
  assert.deepEqual(second.stderr.match(/^\w+(?=, lesson 1)/gm), ['bob', 'eve'])
  assert.deepEqual(second.stdout.match(/(?<="learner": ")\w+/g), ['ada', 'bob', 'eve'])
  fs.writeFileSync(path.join(dir, 'grades.json'), '{}')
  assert.match((await grade()).stderr, /isn’t a results file of this command: move it away/)
})

test('a re-grading that is stopped leaves nothing, and gives its turn back', async () => {
  const stop = new AbortController()
  const lesson = await loadLesson(await resolveLesson('mini', { env }))
  const given = { lesson, dir: solution, sandbox: none, speed: false }
  const stopped = regrade({ ...given, signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) })
  await assert.rejects(stopped, /enough/)
  const { verified, record } = await regrade({ ...given, signal: new AbortController().signal })
  assert.equal(verified, false)
  assert.equal(record.reason, 'Every answer is right. Its speed wasn’t measured.')
})
