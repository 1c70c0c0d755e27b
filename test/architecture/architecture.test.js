import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'
import { readImports, roomOf, rooms } from './imports.js'

/** docs/architecture.md says which room may import which. Here it is held against what they do. */

const text = fs.readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8')
const imports = readImports()
/** What each room may import, from the table. @type {Map<string, string[]>} */
const allowed = new Map([...text.matchAll(/^\| `(\w+)\/` \|.*\| ([^|]*) \|$/gm)]
  .map(([, room, arrows]) => [room, [...arrows.matchAll(/`(\w+)\/`/g)].map(([, other]) => other)]))
/** The doors of a room; child.js is that for processes which a run starts, browser.js that for modules of a browser. */
const doors = ['index.js', 'child.js', 'browser.js']

test('something was read', () => {
  assert.ok(imports.length > 500, `${imports.length} imports`)
  assert.ok(imports.some(({ from, to }) => from === 'load/generator.js' && to === 'session/child.js'))
})

test('the table has every room, and there are at most sixteen', () => {
  assert.deepEqual([...allowed.keys()].sort(), rooms().sort())
  assert.ok(allowed.size <= 16)
})

test('every import between two rooms goes through the door', () => {
  const around = between().filter(({ to }) => !isDoor(to)).map(({ from, to }) => `${from} → ${to}`)
  assert.deepEqual(around, [])
})

test('the rooms import what the table allows, and all of it', () => {
  for (const [room, arrows] of allowed) {
    const real = new Set(between().filter(({ from }) => roomOf(from) === room).map(({ to }) => roomOf(to)))
    assert.deepEqual([...real].sort(), [...arrows].sort(), `${room}/`)
  }
})

test('files at the top of runner/ import no room', () => {
  const reaching = imports.filter(({ from, to }) => roomOf(from) === null && roomOf(to) !== null)
  assert.deepEqual(reaching.filter(({ from }) => from !== 'cli.js').map(({ from, to }) => `${from} → ${to}`), [])
})

test('no room reaches back: what it imports never imports it', () => {
  for (const room of allowed.keys()) assert.ok(!reachable(room).has(room), `${room}/ reaches itself`)
})

test('the diagram shows the arrows of the table that no longer way stands for', () => {
  const drawn = [...text.matchAll(/^ {2}(\w+) --> (\w+)$/gm)].map(([, from, to]) => `${from} --> ${to}`)
  const needed = [...allowed].flatMap(([room, arrows]) => arrows
    .filter((other) => !arrows.some((way) => way !== other && reachable(way).has(other)))
    .map((other) => `${room} --> ${other}`))
  assert.deepEqual(drawn.sort(), needed.sort())
})

/** Imports from one room into another. */
function between () {
  return imports.filter(({ from, to }) => roomOf(from) !== null && roomOf(to) !== null && roomOf(from) !== roomOf(to))
}

/** @param {string} file */
function isDoor (file) {
  const [, ...rest] = file.split('/')
  return rest.length === 1 && doors.includes(rest[0])
}

/** All rooms to which a way leads. @param {string} room @param {Set<string>} [seen] @returns {Set<string>} */
function reachable (room, seen = new Set()) {
  for (const other of allowed.get(room) ?? []) {
    if (seen.has(other)) continue
    seen.add(other)
    reachable(other, seen)
  }
  return seen
}
