import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reactionTo } from '../../../runner/cli/watch-keys.js'

/** @import { Task } from '../../../runner/cli/watch-keys.js' */

const idle = { canGoOn: false, waiting: null }
const waiting = { canGoOn: true, waiting: { what: 'Check', sentence: '', since: 0 } }

/** @type {[string, Task | null, typeof idle | typeof waiting, ReturnType<typeof reactionTo>][]} */
const cases = [
  ['b', null, idle, { task: 'check', aborts: false }],
  ['b', 'preview', idle, { task: 'check', aborts: true }],
  ['b', 'check', idle, {}],
  ['q', 'check', idle, { task: 'quit', aborts: true }],
  ['c', 'check', idle, { aborts: true }],
  ['h', 'preview', idle, { task: 'hint', isAside: true }],
  ['h', 'check', idle, {}],
  ['h', 'check', waiting, { task: 'hint', isAside: true }],
  ['e', 'check', waiting, {}],
  ['m', null, idle, {}],
  ['m', null, waiting, { task: 'more', aborts: false }],
  ['toString', null, idle, {}]
]

test('what a key does depends on the current task', () => {
  for (const [key, current, state, expected] of cases) {
    assert.deepEqual(reactionTo(key, current, state), expected, `${key} while ${current}`)
  }
})
