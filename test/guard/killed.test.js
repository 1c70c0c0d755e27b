import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { sweepTemporary } from '../../runner/system/index.js'
import { temporaryFolder } from '../temporary.js'
import { unlessSkipped } from '../unless-skipped.js'

/**
 * The workshop's commands are killed at many moments. Whoever has nothing to do with them lives on, and nothing of
 * theirs is left behind. In PID namespaces of their own (Linux).
 *
 * MAKE_IT_FAST_KILLS=all kills each command at 60 moments of its first second and at 60 drawn later ones; without it so
 * many are shared out among all commands.
 */

const inner = fileURLToPath(new URL('in-namespace.js', import.meta.url))
const run = promisify(execFile)
const all = process.env.MAKE_IT_FAST_KILLS === 'all'
const solutions = ['--server', 'solutions']

/** Until when they are still at work, ms. */
const commands = [
  { args: ['check', '2', ...solutions], untilMs: 8000 },
  { args: ['check', '3', ...solutions], untilMs: 6000 },
  { args: ['check', '7', ...solutions], untilMs: 9000 },
  { args: ['check', '11', ...solutions], untilMs: 9000 },
  { args: ['check', '14', ...solutions], untilMs: 9000 },
  { args: ['profile', '2', 'slow'], untilMs: 5000 },
  { args: ['doctor'], untilMs: 5000 }
]
const early = 60
const late = 60

const unshare = ['--pid', '--fork', '--mount-proc', '--kill-child', ...process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']]
const hasNamespaces = process.platform === 'linux' && spawnSync('unshare', [...unshare, 'true']).status === 0
const skip = unlessSkipped(hasNamespaces, 'This system gives no PID namespace (unshare of util-linux): killing at all moments was not tried.')

test('a command that is killed takes everything of its own with it, and nothing else', { skip, concurrency: 3 }, async (t) => {
  await Promise.all(commands.map(({ args, untilMs }, at) => t.test(args.join(' '), async (t) => {
    const temporary = temporaryFolder(t)
    const moments = momentsOf({ at, untilMs })
    const outcomes = await killIn({ args, moments, temporary })
    for (const { atMs, group, died, left } of outcomes) {
      const when = `killed ${group ? 'with its helpers ' : ''}after ${atMs.toFixed(0)} ms`
      assert.deepEqual(died, [], `${when}: these had nothing to do with it`)
      assert.deepEqual(left, [], `${when}: this was still there 10 s later`)
    }
    assert.equal(outcomes.length, moments.length)
    const killed = outcomes.filter((one) => one.killed).length
    assert.ok(killed > moments.length / 2, `${killed} of ${moments.length} were still running when they were to be killed`)
    const folders = fs.readdirSync(temporary).filter((name) => name.startsWith('make-it-fast-')).length
    const swept = await sweepTemporary({ parent: temporary, now: Date.now() + 25 * 3_600_000 })
    assert.deepEqual(fs.readdirSync(temporary).filter((name) => name.startsWith('make-it-fast-')), [])
    assert.equal(swept, folders)
    t.diagnostic(`${killed} killed, all gone within ${Math.max(...outcomes.map(({ goneMs }) => goneMs))} ms; ${folders} folders were left for the next sweep`)
  })))
})

/** @param {{ at: number, untilMs: number }} given @returns {import('./in-namespace.js').Moment[]} */
function momentsOf ({ at, untilMs }) {
  const isMine = (/** @type {unknown} */ _, /** @type {number} */ number) => all || number % commands.length === at
  return [
    ...Array.from({ length: early }, (_, number) => (number + Math.random()) * 1000 / early),
    ...Array.from({ length: late }, () => 1000 + Math.random() * (untilMs - 1000))
  ].filter(isMine).map((atMs, number) => ({ atMs, group: number % 4 === 3 }))
}

/**
 * @param {{ args: string[], moments: import('./in-namespace.js').Moment[], temporary: string }} given
 * @returns {Promise<import('./in-namespace.js').Outcome[]>}
 */
async function killIn ({ args, moments, temporary }) {
  const { MAKE_IT_FAST_ROOT: root, NODE_TEST_CONTEXT: context, ...rest } = process.env
  const env = { ...rest, TMPDIR: temporary, MAKE_IT_FAST_WORKSPACE: path.join(temporary, 'workspace') }
  const order = JSON.stringify({ args, moments })
  const { stdout } = await run('unshare', [...unshare, process.execPath, inner, order], { env, cwd: fileURLToPath(new URL('../..', import.meta.url)) })
  return stdout.trim().split('\n').map((line) => JSON.parse(line))
}
