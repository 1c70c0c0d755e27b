import assert from 'node:assert/strict'
import fs from 'node:fs'
import test from 'node:test'
import { findLessons } from '../../runner/lesson/index.js'
import { table } from './table.js'

test('each attack has its file and its row, and each row names lessons that there are', async () => {
  const numbers = new Set((await findLessons()).map(({ number }) => number))
  for (const { attack, lessons } of table) {
    assert.ok(lessons.length > 0 && lessons.every((number) => numbers.has(number)), attack)
  }
  const files = fs.readdirSync(new URL('attacks', import.meta.url)).filter((name) => name.endsWith('.js'))
  const named = [...new Set(table.map(({ attack }) => `${attack}.js`))]
  assert.deepEqual(files.sort(), named.sort())
})

test('no row lets a right server be refused for nothing', () => {
  for (const { attack, base, expect } of table) assert.ok(base === 'slow' || expect !== 'never passes', attack)
})
