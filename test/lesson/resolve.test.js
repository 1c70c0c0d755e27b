import assert from 'node:assert/strict'
import path from 'node:path'
import test from 'node:test'
import { findLessons, resolveLesson } from '../../runner/lesson/index.js'
import { makeRepository } from './fixture.js'
import { isSentence } from '../sentence.js'

test('lessons are found in the order of their numbers, other files and folders are passed over', async (t) => {
  const root = await makeRepository(t, {
    'lessons/README.md': 'not a lesson',
    'lessons/draft/lesson.js': '',
    'lessons/.cache/lesson.js': '',
    'lessons/101-far-away/lesson.js': '',
    'lessons/02-leaking-listeners/lesson.js': 'this is no JavaScript: finding imports nothing'
  })
  const entries = await findLessons({ root })
  assert.deepEqual(entries.map((entry) => entry.number), [1, 2, 3, 12, 101])
  assert.deepEqual(entries.map((entry) => entry.id).slice(0, 3), ['sync-login', 'leaking-listeners', 'in-memory-json'])
})

test('order.json recommends another order, and lessons that it doesn’t name come last', async (t) => {
  const root = await makeRepository(t, { 'lessons/order.json': '[3, 1]' })
  assert.deepEqual((await findLessons({ root })).map((entry) => entry.number), [3, 1, 12])
  const broken = await makeRepository(t, { 'lessons/order.json': '[3,' })
  await assert.rejects(findLessons({ root: broken }), isSentence(/order\.json isn’t a list of lessons’ numbers/))
})

test('a lesson knows where its folders lie', async (t) => {
  const root = await makeRepository(t)
  const [entry] = await findLessons({ root, env: {} })
  assert.equal(entry.dir, path.join(root, 'lessons', '01-sync-login'))
  assert.equal(entry.slowDir, path.join(root, 'slow-servers', '01-sync-login'))
  assert.equal(entry.solutionDir, path.join(root, 'solutions', '01-sync-login'))
  assert.equal(entry.workspaceDir, path.join(root, 'workspace', '01-sync-login'))
})

test('variables name a lesson pack and move the workspace', async (t) => {
  const root = await makeRepository(t)
  const elsewhere = path.join(root, 'elsewhere')
  const [entry] = await findLessons({ env: { MAKE_IT_FAST_LESSONS: root, MAKE_IT_FAST_WORKSPACE: elsewhere } })
  assert.equal(entry.root, root)
  assert.equal(entry.workspaceDir, path.join(elsewhere, '01-sync-login'))
})

test('a folder without lessons is told by one sentence', async (t) => {
  const root = await makeRepository(t)
  const names = (/** @type {RegExp} */ fault) =>
    isSentence(new RegExp(`${fault.source}.*: --lessons or MAKE_IT_FAST_LESSONS names .+ \`npm run new-lesson`))
  await assert.rejects(findLessons({ root: path.join(root, 'nowhere') }), names(/^There is no folder .+nowhere/))
  await assert.rejects(findLessons({ root: path.join(root, 'package.json') }), names(/package.json is a file/))
  const noPack = path.join(root, 'slow-servers')
  await assert.rejects(findLessons({ root: noPack }), names(/lessons cannot be read \(ENOENT\)/))
  await assert.rejects(findLessons({ root: await emptyRepository(root) }), names(/There is no lesson in/))
})

for (const name of [
  'lesson-3', '3', '03', '003', 'lesson-03', 'LESSON-3', 'lesson3', 'Lesson 3', '03-in-memory-json',
  'in-memory-json', 'In-Memory-JSON', 'lesson-in-memory-json', ' 3 ', 'lessons/03-in-memory-json/',
  'workspace\\03-in-memory-json'
]) {
  test(`"${name}" means lesson 3`, async (t) => {
    const root = await makeRepository(t)
    assert.equal((await resolveLesson(name, { root })).folder, '03-in-memory-json')
  })
}

for (const [name, expected] of /** @type {[string, RegExp][]} */ ([
  ['in-memory-jsno', /did you mean lesson-3 \(in-memory-json\)\?/],
  ['inmemoryjson', /did you mean lesson-3 \(in-memory-json\)\?/],
  ['json', /did you mean lesson-3 \(in-memory-json\)\?/],
  ['lesson-overlaod', /did you mean lesson-12 \(overload\)\?/],
  ['4', /the lessons are 1 to 12\./],
  ['lesson-17', /the lessons are 1 to 12\./],
  ['leson-3', /: did you mean lesson-3 \(in-memory-json\)\?/],
  ['lessen 12', /: did you mean lesson-12 \(overload\)\?/],
  ['leson-17', /the lessons are 1 to 12\./],
  ['zzzzzzzz', /There is no lesson "zzzzzzzz"\. /],
  ['constructor', /There is no lesson "constructor"/]
])) {
  test(`"${name}" is no lesson, and the sentence names the near ones`, async (t) => {
    const root = await makeRepository(t)
    await assert.rejects(resolveLesson(name, { root }), isSentence(expected))
    await assert.rejects(resolveLesson(name, { root }), isSentence(/`npm run list` shows them all\.$/))
  })
}

test('without a name, the message requests one', async (t) => {
  const root = await makeRepository(t)
  for (const name of [undefined, '', '  ', '/']) {
    await assert.rejects(resolveLesson(name, { root }), isSentence(/^Say which lesson, for example lesson-1/))
  }
})

test('two lessons with one number have to be told apart by name', async (t) => {
  const root = await makeRepository(t, { 'lessons/03-other/lesson.js': '' })
  await assert.rejects(resolveLesson('3', { root }), isSentence(/03-in-memory-json and 03-other/))
  assert.equal((await resolveLesson('03-other', { root })).id, 'other')
})

/** @param {string} root */
async function emptyRepository (root) {
  const { mkdir } = await import('node:fs/promises')
  await mkdir(path.join(root, 'empty', 'lessons'), { recursive: true })
  return path.join(root, 'empty')
}
