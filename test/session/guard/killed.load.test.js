import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sweepTemporary } from '../../../runner/process/index.js'
import { createRandom } from '../../../runner/shared/random.js'
import { seed, times } from '../../shard.js'
import { temporaryFolder } from '../../temporary.js'
import { unlessSkipped } from '../../unless-skipped.js'

/** @import { Moment, Order, Outcome } from './in-namespace.js' */

/**
 * The workshop's commands are killed at many moments. Processes that have nothing to do with them live on, and nothing
 * of theirs is left behind. In separate PID namespaces (Linux).
 *
 * 60 moments of the first second and as many drawn later ones are shared out among the commands.
 */

const inner = fileURLToPath(new URL('in-namespace.js', import.meta.url))
const run = promisify(execFile)
const solutions = ['--server', 'solutions']

/**
 * untilMs: until when they are still at work.
 *
 * @type {{ args: string[], untilMs: number, title?: string, env?: NodeJS.ProcessEnv }[]}
 */
const commands = [
  { args: ['check', '2', ...solutions], untilMs: 8000 },
  { args: ['check', '3', ...solutions], untilMs: 6000 },
  { args: ['check', '7', ...solutions], untilMs: 9000 },
  { args: ['check', '11', ...solutions], untilMs: 9000 },
  { args: ['check', '14', ...solutions], untilMs: 9000 },
  { args: ['profile', '2', 'slow'], untilMs: 5000 },
  { args: ['doctor'], untilMs: 5000 },
  // Where the kernel ends the servers it does not end what they have started; where it does not, the guard is alone.
  { args: ['check', '2', '--server', 'PARENT'], untilMs: 6000, title: 'a server with children' },
  {
    args: ['check', '2', '--server', 'PARENT'],
    untilMs: 6000,
    title: 'the same without setpriv',
    env: { PATH: '/nonexistent' }
  }
]
const children = `import { spawn } from 'node:child_process'
// Without the marker, in the server's group; and with it, in a separate session.
spawn('/bin/sleep', ['3600'], { stdio: 'ignore', env: {} })
spawn('/bin/sleep', ['3600'], { stdio: 'ignore', detached: true }).unref()
`
const early = times(60)
const late = early

const unshare = [
  '--pid',
  '--fork',
  '--mount-proc',
  '--kill-child',
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'])
]
const hasNamespaces = process.platform === 'linux' && spawnSync('unshare', [...unshare, 'true']).status === 0
const skip = unlessSkipped(
  hasNamespaces,
  'This system gives no PID namespace (unshare of util-linux): killing at all moments was not tried.'
)

test(
  'a command that is killed takes everything that it started with it, and nothing else',
  { skip, concurrency: 3 },
  async (t) => {
    const total = { moments: 0, killed: 0, folders: 0 }
    await Promise.all(
      commands.map(({ args, untilMs, title = args.join(' '), env = {} }, at) =>
        t.test(title, async (t) => {
          const temporary = temporaryFolder(t)
          const moments = momentsOf({ at, untilMs })
          const given = args.map((arg) => arg === 'PARENT' ? serverWithChildren(temporary) : arg)
          const outcomes = await killIn({ args: given, env, moments, temporary })
          for (const { atMs, group, died, left } of outcomes) {
            const when = `killed ${group ? 'with its helpers ' : ''}after ${atMs.toFixed(0)} ms`
            assert.deepEqual(died, [], `${when}: these had nothing to do with it`)
            assert.deepEqual(left, [], `${when}: this was still there 10 s later`)
          }
          assert.equal(outcomes.length, moments.length)
          const killed = outcomes.filter((one) => one.killed).length
          assert.ok(killed > 0, 'it had ended before it was to be killed, each time')
          total.moments += moments.length
          total.killed += killed
          const left = () => fs.readdirSync(temporary).filter((name) => name.startsWith('make-it-fast-'))
          const folders = left().length
          total.folders += folders
          assert.equal(await sweepTemporary({ parent: temporary, now: Date.now() + 25 * 3_600_000 }), folders)
          assert.deepEqual(left(), [])
          t.diagnostic(
            `${killed} killed, all gone within ${Math.max(...outcomes.map(({ goneMs }) => goneMs))} ms; ` +
              `${folders} folders were left for the next sweep`
          )
        })
      )
    )
    const { killed, moments, folders } = total
    assert.ok(
      folders <= 2 + moments / 5,
      `${folders} folders were left: a moment hits the time before the guard's start now and then, not often`
    )
    assert.ok(killed > moments / 2, `${killed} of ${moments} were still running when they were to be killed`)
  }
)

/** A right fix of lesson 2 that starts processes. @param {string} temporary @returns {string} its folder */
function serverWithChildren (temporary) {
  const dir = path.join(temporary, 'parent')
  fs.cpSync(fileURLToPath(new URL('../../../solutions/02-leaking-listeners', import.meta.url)), dir, {
    recursive: true
  })
  fs.writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}')
  fs.writeFileSync(path.join(dir, 'children.js'), children)
  const file = path.join(dir, 'server.js')
  fs.writeFileSync(file, `import './children.js'\n${fs.readFileSync(file, 'utf8')}`)
  return dir
}

/** @param {{ at: number, untilMs: number }} given @returns {Moment[]} */
function momentsOf ({ at, untilMs }) {
  const isMine = (/** @type {unknown} */ _, /** @type {number} */ number) => number % commands.length === at
  const { next } = createRandom(`${seed}/killed`)
  return [
    ...Array.from({ length: early }, (_, number) => (number + next()) * 1000 / early),
    ...Array.from({ length: late }, () => 1000 + next() * (untilMs - 1000))
  ].map((atMs, number) => ({ atMs, group: Math.floor(number / commands.length) % 2 === 1 })).filter(isMine)
}

/**
 * @param {Order & { temporary: string }} given
 * @returns {Promise<Outcome[]>}
 */
async function killIn ({ temporary, ...order }) {
  const { MAKE_IT_FAST_LESSONS: root, NODE_TEST_CONTEXT: context, ...rest } = process.env
  const env = { ...rest, TMPDIR: temporary, MAKE_IT_FAST_WORKSPACE: path.join(temporary, 'workspace') }
  // The last command keeps the shell from becoming node itself.
  const script = '"$0" "$@"; exit $?'
  const { stdout } = await run(
    'unshare',
    [...unshare, 'sh', '-c', script, process.execPath, inner, JSON.stringify(order)],
    { env, cwd: fileURLToPath(new URL('../../..', import.meta.url)) }
  )
  return stdout.trim().split('\n').map((line) => JSON.parse(line))
}
