import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { signalChild } from '../../runner/process/index.js'
import { root, solution } from '../check/mini.js'
import { findLeftovers } from '../leftovers.js'
import { temporaryFolder } from '../temporary.js'
import { until } from '../until.js'
import { cli, runNode } from './run.js'

const signals = { skip: process.platform === 'win32' }
const linux = { skip: process.platform !== 'linux' }

/**
 * Runs a command of the workshop whose only lesson is the tests' own.
 *
 * @param {string[]} args
 * @param {string} workspace
 * @param {(line: string, child: import('node:child_process').ChildProcess) => void} [onLine]
 */
function run (args, workspace, onLine) {
  return runNode([cli, ...args], {
    env: { ...process.env, MAKE_IT_FAST_LESSONS: root, MAKE_IT_FAST_WORKSPACE: workspace },
    started: (child) =>
      child.stdout.on('data', (chunk) => String(chunk).split('\n').forEach((line) => onLine?.(line, child)))
  })
}

for (const when of ['contract: ', 'rounds: ', 'after: ']) {
  test(`Ctrl-C after “${when.trim()}” exits 130 and leaves nothing behind`, signals, async (t) => {
    const workspace = temporaryFolder(t)
    // It has to be measured, and the slow server itself is known after one round.
    fs.cpSync(solution, path.join(workspace, '01-mini'), { recursive: true })
    const before = findLeftovers()
    const { code, stdout } = await run(['check', '1'], workspace, (line, child) => {
      if (line.startsWith(when)) signalChild(child, 'SIGINT')
    })
    assert.equal(code, 130, stdout)
    assert.match(stdout, /\nStopped\. Nothing is left running, and no result of lesson 1 was written\.\n$/)
    assert.deepEqual(findLeftovers().filter((leftover) => !before.includes(leftover)), [])
    assert.equal(fs.existsSync(path.join(workspace, 'results')), false)
  })
}

test('a check that is killed takes its servers and its temporary folder with it', linux, async (t) => {
  const workspace = temporaryFolder(t)
  const before = findLeftovers()
  const { signal } = await run(['check', '1'], workspace, (line, child) => {
    if (line.startsWith('rounds: ')) signalChild(child, 'SIGKILL')
  })
  assert.equal(signal, 'SIGKILL')
  // The guard needs a moment (test/session/guard/ tries this at many moments).
  await until(() => findLeftovers().every((leftover) => before.includes(leftover)))
})

test('the solution exits 0 or 2, and its rounds take no more time than --seconds', async (t) => {
  const args = ['check', '1', '--server', solution, '--seconds', '1', '--json']
  const { code, stdout } = await run(args, temporaryFolder(t))
  const { verdict, rounds, reason } = JSON.parse(stdout)
  assert.equal(code, { pass: 0, inconclusive: 2 }[/** @type {'pass'} */ (verdict)], reason)
  assert.ok(rounds.length >= 1 && rounds.length < 20, `${rounds.length} rounds`)
})

test('bench says that all answers of a right server were right', async (t) => {
  const { code, stdout, stderr } = await run(['bench', '1', 'solution', '--seconds', '1'], temporaryFolder(t))
  assert.equal(code, 0, stderr)
  assert.match(stdout, /All \d+ answers were right\./)
})

test('doctor looks at the machine and measures two identical servers', async (t) => {
  const { code, stdout } = await run(['doctor'], temporaryFolder(t))
  assert.ok(code === 0 || code === 2, stdout)
  assert.match(stdout, /cores/)
  assert.match(stdout, /They measure [\d.]+× at the median, ±[\d.]+ % from round to round, in \d+ rounds/)
})
