import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { findLessons, firstForeign, loadLesson } from '../../runner/lesson/index.js'
import { workshopRoot as root } from '../../runner/workshop.js'
import { foldersOf } from './find-all.js'
import { readLesson, surroundingsOf } from './read-lesson.js'
import { findInText, rules } from './rules.js'
import { findStrays } from './strays.js'

const entries = await Promise.all((await findLessons({ root })).map(loadLesson))

/** @param {string} folder @returns {string[]} relative to the workshop, with slashes */
const textsBelow = (folder) => fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))

test('lessons have numbers and names of their own, and no folder belongs to no lesson', () => {
  const folders = foldersOf(root)
  assert.deepEqual(Object.keys(folders), ['slow-servers', 'solutions', 'test/submissions'])
  assert.deepEqual(findStrays(entries.map(({ folder }) => folder), folders), [])
})

for (const entry of entries) {
  test(`${entry.folder}: its slow server is the one that is shipped (else: npm run fingerprints)`, () => {
    assert.equal(firstForeign(entry), null)
  })

  const content = await readLesson(entry)
  for (const { name, find } of rules) test(`${entry.folder} ${name}`, () => assert.deepEqual(find(content), []))
}

test('docs/authors.md names all that a lesson may import from the workshop, and it is there', () => {
  const { exports } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  const told = fs.readFileSync(path.join(root, 'docs', 'authors.md'), 'utf8').match(/(?<=^\| `make-it-fast)[^`]+/gm)
  assert.deepEqual(told?.map((name) => `.${name.replace('NAME.js', '*')}`).sort(), Object.keys(exports).sort())
  const isThere = (/** @type {string} */ target) => fs.existsSync(path.join(root, target.replace('*', '')))
  assert.deepEqual(Object.values(exports).filter((target) => !isThere(target)), [])
})

for (const file of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...textsBelow('docs')]) {
  test(`${file}: links resolve and commands exist`, () => {
    assert.deepEqual(findInText(file, fs.readFileSync(path.join(root, file), 'utf8'), surroundingsOf(root)), [])
  })
}
