import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { findLessons } from '../../runner/lesson/index.js'
import { workshopRoot } from '../../runner/shared/workshop.js'

const docs = path.join(workshopRoot, 'docs')
const rows = fs.readFileSync(path.join(docs, 'curriculum.md'), 'utf8').split('\n')
  .filter((line) => line.startsWith('| ') && line.includes(' | '))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\||\|$/g, '').trim()))
  .filter(([, lessons]) => lessons.includes('](') || !/^lessons$|^where/.test(lessons))
const entries = await findLessons({ root: workshopRoot })
const texts = new Map(entries.map((entry) => [path.join(entry.dir, 'README.md'), entry.number]))

test('the table of what is taught where has entries', () => {
  assert.ok(rows.length > 30, `${rows.length} rows`)
})

for (const [entry, lessons] of rows) {
  test(`taught: ${entry}`, () => {
    const links = [...lessons.matchAll(/\[(\d+)\]\(([^)]+)\)/g)]
    assert.notEqual(links.length, 0, 'no lesson teaches it')
    const terms = [...entry.matchAll(/\*\*(.+?)\*\*|`(.+?)`/g)].map(([, bold, code]) => bold ?? code)
    assert.notEqual(terms.length, 0, 'nothing in the entry can be looked for')
    for (const [, number, link] of links) {
      const file = path.resolve(docs, link)
      assert.equal(texts.get(file), Number(number), `${link} is not the text of lesson ${number}`)
      const text = fs.readFileSync(file, 'utf8').replace(/\s+/g, ' ').toLowerCase()
      for (const term of terms) assert.ok(text.includes(term.toLowerCase()), `lesson ${number} does not say “${term}”`)
    }
  })
}

test('every lesson teaches something of the table', () => {
  const taught = new Set(
    rows.flatMap(([, lessons]) => [...lessons.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number)))
  )
  assert.deepEqual([...texts.values()].filter((number) => !taught.has(number)), [])
})
