import assert from 'node:assert/strict'
import test from 'node:test'
import { createLiveRegion } from '../../runner/report/live-region.js'
import { root, submission, variant } from '../check/mini.js'
import { cli } from '../cli/run.js'
import { temporaryFolder } from '../temporary.js'
import { skipWithoutTerminal } from './available.js'
import { openTerminal } from './open.js'
import { createScreen } from './screen.js'

/** The program as a person sees it: 41 columns are the narrowest window that is redrawn in place. */

const skip = skipWithoutTerminal()

/**
 * @param {import('node:test').TestContext} t
 * @param {string[]} args
 * @param {{ columns: number, env?: NodeJS.ProcessEnv }} options
 */
function open (t, args, { columns, env }) {
  return openTerminal(t, {
    command: process.execPath,
    args: [cli, ...args],
    columns,
    env: { MAKE_IT_FAST_WORKSPACE: temporaryFolder(t), ...env }
  })
}

test('list and hint break no line in narrow windows', { skip }, async (t) => {
  const list = await open(t, ['list'], { columns: 40 })
  assert.equal((await list.exit).code, 0)
  assert.match(list.lines().join('\n'), /^16 +Capstone .*· not started$/m)
  const hint = await open(t, ['hint', 'lesson-2', '--all'], { columns: 41 })
  assert.equal((await hint.exit).code, 0)
  assert.match(hint.lines().join(' '), /Hint 1 of \d · lesson 2/)
  assert.deepEqual([list.wrapped(), hint.wrapped()], [[], []])
})

test('a check leaves one verdict and breaks no line', { skip }, async (t) => {
  const wrong = submission(t, variant({ handler: 'return res.end("{}")' }))
  const args = ['check', 'lesson-1', '--no-speed', '--server', wrong]
  const terminal = await open(t, args, { columns: 60, env: { MAKE_IT_FAST_LESSONS: root } })
  const { code } = await terminal.exit
  const text = terminal.lines().join('\n')
  assert.equal(code, 1, text)
  assert.match(text, /^\n✗ FAIL {2}Lesson 1[^]+\nrepeat: [^]+--seed\s+[\w-]+(@[\d.]+)?$/)
  assert.equal(text.match(/Lesson 1/g)?.length, 1, text)
  assert.deepEqual(terminal.wrapped(), [])
  assert.equal(terminal.picture().cursor?.x, 0)
})

test('a window that is made narrower keeps nothing of what was drawn before', async () => {
  const screen = createScreen({ columns: 100, rows: 24 })
  const stream = { columns: 100, write: (/** @type {string} */ text) => screen.write(text.replaceAll('\n', '\r\n')) }
  const region = createLiveRegion({ stream, lay: () => ['a'.repeat(stream.columns - 1), 'b'], shortestMs: 0 })
  region.changed()
  await screen.write('')
  screen.resize(60, 24)
  stream.columns = 60
  region.changed()
  await screen.write('')
  region.freeze()
  assert.deepEqual(screen.lines(), ['a'.repeat(59), 'b'])
})

test('Ctrl-C during a check leaves the screen as it is, and says so once', { skip }, async (t) => {
  // Its answers take so long that the check is still asking.
  const slow = submission(t, variant({ handler: 'return setTimeout(() => res.end("{}"), 1000)' }))
  const args = ['check', 'lesson-1', '--no-speed', '--server', slow]
  const terminal = await open(t, args, { columns: 100, env: { MAKE_IT_FAST_LESSONS: root } })
  const working = /Checking that every answer/
  await terminal.waitFor(working)
  terminal.key('ctrl-c')
  assert.equal((await terminal.exit).code, 130)
  // The terminal's own ^C goes with a line that is drawn once more after it.
  const text = terminal.lines().join('\n')
  assert.match(text, working)
  assert.match(text, /\nStopped\. Nothing is left running, and no result of lesson 1 was written\.$/)
  assert.equal(text.split('Stopped').length, 2, text)
})
