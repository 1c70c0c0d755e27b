import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { writeLesson } from '../../runner/workspace/write-lesson.js'
import { temporaryFolder } from '../temporary.js'
import { checkCode, findingsOf } from './check-code.js'

test('a new pack has nothing to fix; what lint and types find is told with file and line', async (t) => {
  const root = temporaryFolder(t)
  await writeLesson({ number: 1, id: 'cold-start', folder: '01-cold-start', title: 'Cold start' }, root)
  assert.deepEqual(await checkCode(root), [])
  const file = path.join(root, 'lessons', '01-cold-start', 'more.js')
  fs.writeFileSync(file, '/** @type {number} */\nexport const text = \'one\';\n')
  assert.deepEqual(await checkCode(root), [
    { place: 'lessons/01-cold-start/more.js:2', what: 'Extra semicolon.' },
    { place: 'lessons/01-cold-start/more.js:2', what: 'Type \'string\' is not assignable to type \'number\'.' }
  ])
})

test('errors of the workshop\'s own files are not the pack\'s', () => {
  const ours = '../make-it-fast/runner/rules.js(1,2): error TS1: Ours.'
  const output = [ours, 'lessons/a.js(3,4): error TS2: Theirs.', '  more'].join('\n')
  assert.deepEqual(findingsOf(output), [{ place: 'lessons/a.js:3', what: 'Theirs.' }])
})
