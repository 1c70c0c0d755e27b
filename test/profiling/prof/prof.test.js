import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'
import { profSections } from '../../../runner/profiling/tools/prof.js'

// A trimmed text of lesson 2's slow server.
const dir = '/home/ada/make-it-fast/slow-servers/02-leaking-listeners'
const text = fs.readFileSync(new URL('fixtures/node-26.txt', import.meta.url), 'utf8')

test('the beginning of each section of --prof-process, with paths from the server on', () => {
  const sections = profSections(text, dir)
  assert.deepEqual(sections.map(({ title }) => title), [
    'Ticks', 'Shared libraries', 'JavaScript', 'C++', 'Summary', 'C++ entry points', 'Bottom up (heavy) profile'
  ])
  assert.deepEqual(sections[0].text, ['2000 ticks, 4 unaccounted.'])
  const { columns, rows, notes } = sections[2]
  assert.deepEqual(columns, ['#ticks', '#total', 'name'])
  assert.deepEqual(rows?.[5], ['10', '0.5%', 'JS: *<anonymous> server.js:40:22'])
  assert.equal(rows?.length, 6)
  assert.match(notes?.[0] ?? '', /^… and \d+ more in the report/)
})

test('callers are indented below whom they called, and packages go without the path to them', () => {
  const bottomUp = profSections(text, dir).at(-1)
  const names = bottomUp?.rows?.map(([,, name]) => name) ?? []
  assert.ok(names.includes('. JS: *<anonymous> server.js:40:22'), names.join('\n'))
  assert.ok(names.includes('. . . JS: +_finishReqResCycle restify/lib/server.js:1425:66'), names.join('\n'))
})

test('another text has no sections', () => {
  assert.deepEqual(profSections('Usage: node --prof-process', dir), [])
  assert.deepEqual(profSections('', dir), [])
})
