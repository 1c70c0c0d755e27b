import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { WorkshopError } from '../../runner/shared/errors.js'
import { findLessons, loadLesson } from '../../runner/lesson/index.js'
import { writeLesson } from '../../runner/workspace/index.js'
import { temporaryFolder } from '../temporary.js'

const lesson = { number: 17, id: 'cold-start', folder: '17-cold-start', title: 'Cold start' }

/** @param {string} root @returns {string[]} with slashes */
function filesBelow (root) {
  return fs.readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(root, name)).isFile())
    .map((name) => name.split(path.sep).join('/'))
    .sort()
}

test('a new lesson is whole, has its own name everywhere, and begins a pack', async (t) => {
  const root = path.join(temporaryFolder(t), 'not', 'there')
  await writeLesson(lesson, root)
  const files = filesBelow(root)
  assert.deepEqual(files, [
    '.gitignore',
    'lessons/17-cold-start/README.md',
    'lessons/17-cold-start/hints.md',
    'lessons/17-cold-start/lesson.js',
    'lessons/17-cold-start/promises.json',
    'package.json',
    'slow-servers/17-cold-start/server.js',
    'solutions/17-cold-start/README.md',
    'solutions/17-cold-start/server.js',
    'test/submissions/17-cold-start/valid-plain-http/server.js',
    'test/submissions/17-cold-start/wrong.js'
  ])
  for (const file of files) {
    assert.doesNotMatch(fs.readFileSync(path.join(root, file), 'utf8'), /my.topic|lesson-0\b|00-/i, file)
  }
  const [entry] = await findLessons({ root })
  assert.equal((await loadLesson(entry)).lesson.title, 'Cold start')
})

test('what is there is not touched: neither a lesson nor the settings of a pack', async (t) => {
  const root = temporaryFolder(t)
  fs.writeFileSync(path.join(root, 'package.json'), '{"name":"ours"}')
  await writeLesson(lesson, root)
  assert.equal(fs.readFileSync(path.join(root, 'package.json'), 'utf8'), '{"name":"ours"}')
  const readme = path.join(root, 'lessons', lesson.folder, 'README.md')
  fs.writeFileSync(readme, 'mine')
  const before = filesBelow(root)
  await assert.rejects(writeLesson(lesson, root), (error) => {
    return error instanceof WorkshopError && /17-cold-start already exists/.test(error.message)
  })
  assert.deepEqual(filesBelow(root), before)
  assert.equal(fs.readFileSync(readme, 'utf8'), 'mine')
})

test('one folder that is in the way leaves nothing of the others', async (t) => {
  const root = temporaryFolder(t)
  fs.mkdirSync(path.join(root, 'slow-servers', lesson.folder), { recursive: true })
  await assert.rejects(writeLesson(lesson, root), WorkshopError)
  assert.deepEqual(filesBelow(root), [])
})

test('a place that cannot be written is told by one sentence', async (t) => {
  const root = path.join(temporaryFolder(t), 'file')
  fs.writeFileSync(root, '')
  const message = /^The lesson cannot be written to .+\): give --lessons a folder/
  await assert.rejects(writeLesson(lesson, root), { name: 'WorkshopError', message })
})
