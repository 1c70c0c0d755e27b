import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { openClass } from '../../classroom/commands/open-class.js'
import { probeSandbox } from '../../classroom/regrade/index.js'
import { root, solution } from '../check/mini.js'
import { runCommand } from '../cli/run.js'
import { endChild, needsRedis, say, startRedis } from '../queue/redis.js'
import { askRoom, openTestRoom } from '../room/open.js'
import { temporaryFolder } from '../temporary.js'
import { unlessSkipped } from '../unless-skipped.js'
import { until } from '../until.js'
import { prepareAnswersOnly } from './answers-only.js'
import { commands } from './commands.js'

/** From a learner's copy to a verified result, in real rooms and in the real sandbox; only speed isn't measured. */

const { kind } = await probeSandbox({ isOptional: true })
const skip = unlessSkipped(kind !== 'none', 'bubblewrap can’t work here: no room was graded')
const env = { ...process.env, MAKE_IT_FAST_AS_ROOT: '1', MAKE_IT_FAST_LESSONS: root, NO_COLOR: '1' }
/** For the reference and a submission, on a busy machine. */
const checksMs = 120_000
const files = fs.readdirSync(solution).map((name) =>
  ({ path: name, text: fs.readFileSync(path.join(solution, name), 'utf8') }))

test('`class -- --grade`: submitted, graded, and verified on the page', { skip }, async (t) => {
  const dir = temporaryFolder(t)
  const own = { ...env, MAKE_IT_FAST_WORKSPACE: path.join(dir, 'workspace') }
  const stop = new AbortController()
  let said = ''
  const stdout = { write: (/** @type {string} */ text) => { said += text } }
  const values = { dir: path.join(dir, 'class'), 'no-open': true, grade: true }
  const output = { stdout, stderr: stdout }
  const given = { values, positionals: [], ...output, env: own, signal: stop.signal, runOther: async () => {} }
  const closed = openClass.run(given, prepareAnswersOnly)
  try {
    await until(() => /are graded on this machine/.test(said))
    const [, url, code] = /(http:\S+\/)(\S{9})\n/.exec(said) ?? []
    const [, secret] = /class#(\S+)\n/.exec(said) ?? []
    const command = async (/** @type {string[]} */ ...args) => {
      const { stdout, stderr } = await runCommand(args, { env: own })
      return stdout + stderr
    }
    await command('join', `${url}${code}`, '--name', 'Ada', '--yes')
    assert.match(await command('submit', 'mini', '--yes'), /Submitted\./)
    const seat = async () => (await askRoom(url, 'GET', '/api/class', undefined, secret)).json.seats[0]
    await until(async () => (await seat()).submissions[0]?.state === 'done', checksMs)
    const { submissions: [{ result }], verified } = await seat()
    assert.equal(result.isVerified, true)
    assert.match(result.sandbox, /^bubblewrap/)
    assert.equal(verified.mini.state, result.verdict)
    assert.match(await command('submit', 'mini', '--yes'), /exactly this before\. Verified: /)
  } finally {
    stop.abort()
    await closed
  }
})

test('`npm run worker` killed in the middle gives its job back, through Redis', { skip: skip || needsRedis.skip },
  async (t) => {
    const { port } = await startRedis(t)
    const redisUrl = `redis://127.0.0.1:${port}`
    const dir = path.join(temporaryFolder(t), 'class')
    const room = await openTestRoom(t, { dir, env, redisUrl, redisTimes: { tickMs: 300 } })
    const { token } = await room.join()
    await room.ask('POST', '/api/seat/submissions', { lesson: 'mini', files }, token)
    const start = (/** @type {string} */ name) => {
      const TMPDIR = temporaryFolder(t)
      const args = ['--redis', redisUrl, '--name', name]
      const child = fork(new URL('real-worker.js', import.meta.url), args, { env: { ...env, TMPDIR } })
      t.after(() => endChild(child))
      let said = ''
      child.on('message', (/** @type {any} */ message) => { said += message.said })
      const inSandbox = () => commands().some((command) => command.startsWith('bwrap') && command.includes(TMPDIR))
      return { child, inSandbox, said: () => said }
    }
    const first = start('first')
    const isGrading = ({ said = () => '' }) => /A submission to mini: grading it/.test(said())
    await until(() => isGrading(first) && first.inSandbox(), checksMs)
    await endChild(first.child)
    await until(() => !first.inSandbox())
    // A minute of silence.
    const [lock] = /bull:\S+:lock/.exec(await say(port, 'KEYS bull:*:lock')) ?? ['']
    assert.equal(await say(port, `DEL ${lock}`), ':1\r\n')
    const second = start('second')
    await until(() => isGrading(second), checksMs)
    const submission = async () =>
      (await room.ask('GET', '/api/class', undefined, room.secret)).json.seats[0].submissions[0]
    await until(async () => (await submission()).state === 'done', checksMs)
    const { worker, result } = await submission()
    assert.deepEqual([worker, result.isVerified, result.verdict], ['second', true, 'pass'])
  })
