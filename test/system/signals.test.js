import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import test from 'node:test'
import { dieWithParent } from '../../runner/process/helper.js'
import { entryOf, isThere } from '../../runner/process/proc.js'
import {
  findOurs, markerNames, markerOf, newRunMarker, signalChild, signalOurs, watchOurs
} from '../../runner/process/signals.js'
import { until } from '../until.js'

const skip = process.platform === 'win32' && 'Windows tells too little'
const linux = { skip: process.platform !== 'linux' && 'reads environments in /proc' }

/**
 * Something that lives until it is told not to.
 *
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} [env]
 * @param {string[]} [command]
 */
async function sleeper (t, env = {}, command = ['sleep', '600']) {
  const child = spawn(command[0], command.slice(1), {
    stdio: 'ignore',
    detached: true,
    env: { PATH: process.env.PATH, ...env }
  })
  t.after(() => signalChild(child, 'SIGKILL'))
  await once(child, 'spawn')
  const identity = entryOf(child.pid)
  assert.ok(identity)
  return { child, identity }
}

/** SIGCONT does nothing to a process that isn't stopped, so a fault of ours here would do no harm. */
const harmless = 'SIGCONT'

test('no proof, no signal', { skip }, () => {
  assert.deepEqual(signalOurs({ noted: [], markers: [] }, harmless), [])
})

for (const marker of ['', 'MAKE_IT_FAST_RUN=', 'PATH=', `MAKE_IT_FAST_RUN=${'0'.repeat(36)}`]) {
  test(`a marker that could be a stranger’s is refused before any process is sought: ${JSON.stringify(marker)}`, () => {
    assert.throws(() => signalOurs({ noted: [], markers: [marker] }, harmless), TypeError)
    assert.throws(
      () => signalOurs({ noted: [], markers: [markerOf('run', newRunMarker()), marker] }, harmless),
      TypeError
    )
  })
}

test('0, 1, negative numbers, our own and our parents’ pids get none', { skip }, () => {
  const start = (/** @type {number} */ pid) => entryOf(pid)?.start ?? 0
  const line = [process.pid, process.ppid, entryOf(process.ppid)?.parent ?? 1]
  for (const pid of [0, 1, -1, -process.pid, -process.ppid, NaN, ...line]) {
    assert.deepEqual(signalOurs({ noted: [{ pid, start: start(pid) }], markers: [] }, harmless), [], String(pid))
  }
})

test(
  'a noted process gets it, with what is below it; one with another start, and a stranger, do not',
  { skip },
  async (t) => {
    const [mine, stranger] = [await sleeper(t, {}, ['sh', '-c', 'sleep 600; true']), await sleeper(t)]
    await until(() => findOurs({ noted: [mine.identity], markers: [] }).length === 2)
    const wrong = { ...stranger.identity, start: stranger.identity.start - 1 }
    const exited = once(mine.child, 'exit')
    const hit = signalOurs({ noted: [mine.identity, wrong], markers: [] }, 'SIGKILL')
    assert.deepEqual(hit.map(({ pid }) => pid).includes(stranger.identity.pid), false)
    assert.equal(hit.length, 2, 'the shell and its sleep')
    await exited
    assert.ok(isThere(stranger.identity))
  }
)

test(
  'a marked process gets it even if it has lost its parent; the marker of another run saves it',
  linux,
  async (t) => {
    const [mine, theirs] = [newRunMarker(), newRunMarker()]
    const { child } = await sleeper(t, { [markerNames.run]: mine }, ['sh', '-c', 'sleep 600 & sleep 600 & exit 0'])
    const stranger = await sleeper(t, { [markerNames.run]: theirs, [markerNames.server]: mine })
    await once(child, 'exit')
    const proof = { noted: [], markers: [markerOf('run', mine)] }
    // While a program is being loaded its environment is empty.
    await until(() => findOurs(proof).length === 2)
    const [first, second] = findOurs(proof)
    assert.equal(signalOurs(proof, 'SIGKILL', ({ pid }) => pid === first.pid).length, 2)
    await until(() => findOurs(proof).length === 1)
    assert.equal(findOurs(proof)[0].pid, second.pid)
    assert.equal(signalOurs(proof, 'SIGKILL').length, 1)
    await until(() => findOurs(proof).length === 0)
    assert.ok(isThere(stranger.identity))
  }
)

test('a child gets it until it has ended; one that never started gets none', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  assert.equal(signalChild(child, 'SIGKILL'), true)
  await exited
  assert.equal(signalChild(child, 'SIGKILL'), false)
  const never = spawn('no-such-program-anywhere', [], { stdio: 'ignore' })
  await once(never, 'error')
  assert.equal(signalChild(never, 'SIGKILL'), false)
})

test('a command that dies with its parent is the command itself, under the same pid', async () => {
  const [command, args] = dieWithParent(process.execPath, ['-e', 'console.log(process.pid, process.argv.length)'])
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  assert.equal(String(line).trim(), `${child.pid} 1`)
})

test('looking again and again finds what came meanwhile, wherever it is, and no stranger', linux, async (t) => {
  const run = newRunMarker()
  const look = watchOurs({ noted: [], markers: [markerOf('run', run)] })
  const stranger = await sleeper(t)
  assert.deepEqual(look(), [])
  const [first] = [await sleeper(t, { [markerNames.run]: run })]
  await until(() => look().length === 1)
  const second = await sleeper(t, { [markerNames.run]: run })
  await until(() => look().length === 2)
  const pids = look().map(({ pid }) => pid)
  assert.deepEqual(pids.sort(), [first.identity.pid, second.identity.pid].sort())
  assert.ok(!pids.includes(stranger.identity.pid))
  signalChild(first.child, 'SIGKILL')
  await until(() => look().length === 1)
})
