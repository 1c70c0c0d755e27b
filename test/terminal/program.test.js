import assert from 'node:assert/strict'
import test from 'node:test'
import { cli } from '../cli/run.js'
import { temporaryFolder } from '../temporary.js'
import { skipWithoutTerminal } from './available.js'
import { openTerminal } from './open.js'

/** The program as a person sees it, in windows of several widths: 41 is the narrowest that is redrawn in place. */

const skip = skipWithoutTerminal()
const check = ['check', 'lesson-4', '--no-speed']
const working = /Checking that every answer/
const onlyVerdict = /^Your copy [^]+ change\s+it\s+there\.\n\n✗ FAIL {2}Lesson 4/

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

for (const columns of [40, 41, 100]) {
  test(`list and hint break no line in ${columns} columns`, { skip }, async (t) => {
    const list = await open(t, ['list'], { columns })
    assert.equal((await list.exit).code, 0)
    assert.match(list.lines().join('\n'), /^16 +Capstone .*· not started$/m)
    assert.deepEqual(list.wrapped(), [])
    for (const further of [[], ['--all']]) {
      const hint = await open(t, ['hint', 'lesson-2', ...further], { columns })
      assert.equal((await hint.exit).code, 0)
      assert.match(hint.lines().join(' '), /Hint 1 of \d · lesson 2/)
      assert.deepEqual(hint.wrapped(), [])
    }
  })
}

test('a check leaves one verdict and breaks no line', { skip }, async (t) => {
  for (const columns of [40, 100]) {
    await t.test(`in ${columns} columns`, async (t) => {
      const terminal = await open(t, check, { columns })
      await terminal.waitFor(working)
      const { code } = await terminal.exit
      const text = terminal.lines().join('\n')
      const count = (/** @type {RegExp} */ what) => text.match(what)?.length ?? 0
      assert.equal(code, 1, text)
      assert.equal(count(/FAIL/g), 1, text)
      assert.equal(count(/^repeat: /gm), 1, text)
      assert.match(text, /--seed\s+[\w-]+(@[\d.]+)?$/)
      // In 40 columns nothing is redrawn: what it said meanwhile stays.
      assert.equal(count(working), columns === 40 ? 1 : 0, text)
      if (columns > 40) assert.match(text, onlyVerdict)
      assert.deepEqual(terminal.wrapped(), [])
      assert.equal(terminal.picture().cursor?.x, 0)
    })
  }
})

test('a window that is made narrower during a check keeps nothing of what was drawn before', { skip }, async (t) => {
  const terminal = await open(t, check, { columns: 100 })
  await terminal.waitFor(working)
  await terminal.resize(60, 24)
  await terminal.exit
  assert.match(terminal.lines().join('\n'), onlyVerdict)
})

test('Ctrl-C during a check leaves the screen as it is, and says so once', { skip }, async (t) => {
  const terminal = await open(t, check, { columns: 100 })
  await terminal.waitFor(working)
  terminal.key('ctrl-c')
  assert.equal((await terminal.exit).code, 130)
  // The terminal's own ^C goes with a line that is drawn once more after it.
  const text = terminal.lines().join('\n')
  assert.match(text, working)
  assert.match(text, /\nStopped\. Nothing is left running, and no result of lesson 4 was written\.$/)
  assert.equal(text.split('Stopped').length, 2, text)
})
