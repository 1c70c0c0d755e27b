import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { firstChange } from '../../runner/check/files.js'
import { findLessons, loadLesson } from '../../runner/lesson/index.js'
import { writeLesson } from '../../runner/workspace/index.js'
import { withAnswers } from '../submissions/answers.js'
import { readCases, writeCase } from '../submissions/apply.js'
import { ownServers } from '../submissions/cases.js'
import { temporaryFolder } from '../temporary.js'
import { until } from '../until.js'

test('a new lesson in a pack outside of the workshop: right ones are right, wrong ones are refused', async (t) => {
  const root = temporaryFolder(t)
  const lesson = { number: 1, id: 'cold-start', folder: '01-cold-start', title: 'Cold start' }
  await writeLesson(lesson, root)
  const [found] = await findLessons({ root })
  const entry = await loadLesson(found)
  const plain = path.join(root, 'test', 'submissions', lesson.folder, 'valid-plain-http')
  const right = { title: 'plain', folder: plain, expected: null }
  const [wrong, ...others] = await readCases(entry)
  assert.deepEqual(others, [])
  const folder = path.join(root, wrong.name)
  writeCase(wrong, folder)
  const named = wrong.by === undefined ? null : [wrong.by].flat()
  const refused = { title: wrong.name, folder, expected: { refusedBy: /** @type {const} */ ('contract'), named } }
  await withAnswers(entry, { inTurn: true }, async (tryAnswers) => {
    for (const one of [...ownServers(entry), right, refused]) assert.equal(await tryAnswers(one), null)
  })
})

test('a change around the copy of the slow server is seen', async (t) => {
  const root = temporaryFolder(t)
  const [slowDir, dir, running] = ['slow', 'lesson', 'copy/pack/server'].map((name) => path.join(root, name))
  for (const folder of [slowDir, dir, running]) fs.mkdirSync(folder, { recursive: true })
  const look = (/** @type {number} */ sinceMs) =>
    firstChange(/** @type {any} */ ({ root, slowDir, dir }), sinceMs, { running, thorough: false })
  const sinceMs = Math.max(...fs.readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => fs.statSync(path.join(root, name)).ctimeMs))
  assert.equal(look(sinceMs), null)
  // The clock of a file system may be coarse.
  await until(() => {
    fs.writeFileSync(path.join(root, 'clock'), '')
    return fs.statSync(path.join(root, 'clock')).ctimeMs > sinceMs
  })
  fs.symlinkSync(slowDir, path.join(root, 'copy', 'node_modules'), 'junction')
  assert.match(look(sinceMs) ?? '', /^copy/)
})
