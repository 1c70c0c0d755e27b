import assert from 'node:assert/strict'
import test from 'node:test'
import { minutesToRead } from '../../runner/lesson/index.js'

test('two hundred words take a minute, and what isn’t shown takes no time', () => {
  assert.equal(minutesToRead('it’s one-two 3.5 '.repeat(200)), 3)
  assert.equal(minutesToRead('[one](../../docs/two.md#three-four) '.repeat(200)), 1)
  assert.equal(minutesToRead(`<!-- ${'word '.repeat(1000)}-->`), 1)
})
