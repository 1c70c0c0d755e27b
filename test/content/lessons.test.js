import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { findLessons, firstForeign, loadLesson } from '../../runner/lesson/index.js'
import { workshopRoot as root } from '../../runner/shared/workshop.js'
import { findStrays, foldersOf } from './find-all.js'
import { findUnlisted, formRules } from './form.js'
import { termsIn } from './glossary.js'
import { readLesson, surroundingsOf } from './read-lesson.js'
import { findInText, rules } from './rules.js'

const entries = await Promise.all((await findLessons({ root })).map(loadLesson))

/** @param {string} folder @returns {string[]} relative to the workshop, with slashes */
const textsBelow = (folder) => fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))

test('lessons have unique numbers and names, and every folder belongs to one', () => {
  const folders = foldersOf(root)
  assert.deepEqual(Object.keys(folders), ['slow-servers', 'solutions', 'test/submissions'])
  assert.deepEqual(findStrays(entries.map(({ folder }) => folder), folders), [])
})

for (const entry of entries) {
  test(`${entry.folder}: its slow server is the one that is shipped (else: npm run fingerprints)`, () => {
    assert.equal(firstForeign(entry), null)
  })

  const content = await readLesson(entry)
  for (const { name, find } of [...rules, ...formRules]) {
    test(`${entry.folder} ${name}`, () => assert.deepEqual(find(content), []))
  }
}

test('docs/authors.md names all that a lesson may import from the workshop, and it is there', () => {
  const { exports } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  const told = fs.readFileSync(path.join(root, 'docs', 'authors.md'), 'utf8').match(/(?<=^\| `make-it-fast)[^`]+/gm)
  const shared = fs.readdirSync(path.join(root, 'lessons', 'shared')).map((name) => `./shared/${name}`)
  const expected = [...Object.keys(exports).filter((name) => name !== './shared/*'), ...shared]
  assert.deepEqual(told?.map((name) => `.${name}`).sort(), expected.sort())
  const isThere = (/** @type {string} */ target) => fs.existsSync(path.join(root, target.replace('*', '')))
  assert.deepEqual(Object.values(exports).filter((target) => !isThere(target)), [])
})

for (const file of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...textsBelow('docs')]) {
  test(`${file}: links resolve and commands exist`, () => {
    const text = fs.readFileSync(path.join(root, file), 'utf8')
    const surroundings = surroundingsOf(root)
    assert.deepEqual([...findInText(file, text, surroundings), ...findUnlisted(file, text, surroundings.outside)], [])
  })
}

test('docs/links.json says of each address once what it is, and when it was looked at', () => {
  const links = JSON.parse(fs.readFileSync(path.join(root, 'docs', 'links.json'), 'utf8'))
  assert.ok(links.length > 10)
  for (const { url, what, seen, how, ...rest } of links) {
    assert.match(url, /^https:\/\/[^#\s]+$/)
    assert.match(what, /\w+ \w+/, url)
    assert.match(seen, /^20\d\d-\d\d-\d\d$/, url)
    // read: the page was read; cited: only that others cite it under this address and title.
    assert.match(how, /^(read|cited)$/, url)
    assert.deepEqual(rest, {}, url)
  }
  assert.equal(new Set(links.map((/** @type {{ url: string }} */ { url }) => url)).size, links.length)
})

test('the glossary explains each term briefly, and the lesson that it names uses it', () => {
  const glossary = fs.readFileSync(path.join(root, 'docs', 'glossary.md'), 'utf8')
  const terms = termsIn(glossary)
  assert.ok(terms.length >= 35)
  assert.deepEqual(terms.map(({ term }) => term), terms.map(({ term }) => term).sort((a, b) =>
    a.localeCompare(b, 'en', { sensitivity: 'base' })))
  for (const { term, lessons } of terms) {
    assert.equal(lessons.length, 1, `${term}: names one lesson`)
    const text = fs.readFileSync(path.join(root, 'lessons', lessons[0], 'README.md'), 'utf8')
    assert.ok(text.replace(/\s+/g, ' ').toLowerCase().includes(term.toLowerCase()), `${lessons[0]} says “${term}”`)
  }
})
