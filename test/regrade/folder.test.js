import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { findSubmissions, regrade } from '../../classroom/regrade/index.js'
import { hashOf } from '../../classroom/regrade/plain-files.js'
import { root, solution } from '../check/mini.js'
import { runCommand } from '../cli/run.js'
import { temporaryFolder } from '../temporary.js'

/**
 * @import { TestContext } from 'node:test'
 * @import { Sandbox } from '../../classroom/regrade/index.js'
 */

const env = { ...process.env, MAKE_IT_FAST_AS_ROOT: '1', MAKE_IT_FAST_LESSONS: root }
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
  const own = { ...env, MAKE_IT_FAST_WORKSPACE: path.join(out, 'workspace') }
  const reports = ['--csv', `${out}/all.csv`, '--junit', `${out}/all.xml`, '--gradescope', `${out}/each`]
  const grade = (/** @type {string[]} */ ...more) => runCommand(['grade', dir, '--no-sandbox', ...more], { env: own })

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
  fs.writeFileSync(path.join(out, 'grades.json'), '{}')
  assert.match((await grade('--results', `${out}/grades.json`)).stderr,
    /isn’t a results file of this command: move it away/)
})

test('results that lie with the submissions are nobody’s', async (t) => {
  const dir = temporaryFolder(t)
  const own = path.join(dir, 'eve', 'lesson-1')
  fs.mkdirSync(own, { recursive: true })
  fs.writeFileSync(path.join(own, 'server.js'), 'const = 1\n')
  const forged = { learner: 'eve', lesson: { id: 'mini', number: 1, title: 'Mini' }, hash: await hashOf(own) }
  const grades = [{ ...forged, verdict: 'pass', reason: 'Every answer is right.', verified: true, record: null }]
  fs.writeFileSync(path.join(dir, 'grades.json'), JSON.stringify({ version: 1, grades }))
  const mine = { ...env, MAKE_IT_FAST_WORKSPACE: temporaryFolder(t) }
  const { code, stdout } = await runCommand(['grade', dir, '--no-sandbox'], { env: mine })
  assert.equal(code, 0, stdout)
  assert.match(stdout, /^eve +1 +✗ fail/m)
})

test('an odd folder is its learner’s error, and the next one’s grade is as ever', async (t) => {
  const dir = temporaryFolder(t)
  const folder = (/** @type {string[]} */ ...names) => {
    const own = path.join(dir, ...names)
    fs.mkdirSync(own, { recursive: true })
    fs.writeFileSync(path.join(own, 'server.js'), 'const = 1\n')
    return own
  }
  folder('ada', 'lesson-1', ...Array(25).fill('deep'))
  folder('ada', 'lesson-1')
  const many = folder('bob', 'lesson-1')
  for (let number = 0; number <= 1000; number++) fs.mkdirSync(path.join(many, `${number}`))
  // As an archive of an old Windows has it.
  const notText = (/** @type {string} */ place) => Buffer.concat([Buffer.from(`${place}/`), Buffer.from([0xdc])])
  fs.writeFileSync(notText(folder('cid', 'lesson-1')), '')
  fs.mkdirSync(notText(dir))
  folder('eve', 'lesson-1')
  folder('eve', 'lesson-01')
  folder('f'.repeat(201), 'lesson-1')
  const own = { ...env, MAKE_IT_FAST_WORKSPACE: temporaryFolder(t) }
  const { code, stdout } = await runCommand(['grade', dir, '--no-sandbox'], { env: own })
  assert.equal(code, 3, stdout)
  assert.match(stdout, /can’t be read \(ENOENT\): nothing in it is graded/)
  assert.match(stdout, /lesson-1 isn’t graded: eve has another folder for lesson 1\./)
  assert.equal(stdout.match(/^eve /gm)?.length, 1)
  assert.match(stdout, /f isn’t graded: its name has more than 200 bytes\./)
  for (const [name, said] of [
    ['ada', '! error +The submission is larger than'], ['bob', '! error +The submission is larger than'],
    ['cid', '✗ fail'], ['eve', '✗ fail']
  ]) assert.match(stdout, new RegExp(`^${name} +1 +${said}`, 'm'))
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
