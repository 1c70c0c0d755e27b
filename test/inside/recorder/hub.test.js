import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { openHub } from '../../../runner/inside/index.js'
import { signalChild } from '../../../runner/process/index.js'
import { makeFolder } from '../../temporary.js'
import { until } from '../../until.js'

/** @import { Hub } from '../../../runner/inside/index.js' */

const server = `
import { EventEmitter } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
const emitter = globalThis.kept = new EventEmitter()
emitter.setMaxListeners(0)
for (let i = 0; i < 33; i++) emitter.on('after', () => {})
function burn () { const end = Date.now() + 30; while (Date.now() < end); fs.writeSync(1, '.') }
http.createServer((req, res) => { burn(); res.end('ok') }).listen(0, '127.0.0.1')
setInterval(burn, 40)
`

/**
 * @param {string} source
 * @param {(given: { hub: Hub, child: ReturnType<typeof spawn>, dir: string, said: () => number }) => Promise<void>} use
 *   said: how many bytes it has written
 * @param {Record<string, string>} [env]
 */
async function withProcess (source, use, env = {}) {
  // A path with a space and more: the preload is a URL, the snapshot a path.
  const { dir, remove } = makeFolder('mif recorder é ')
  fs.writeFileSync(path.join(dir, 'server.mjs'), source)
  const hub = await openHub()
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: dir,
    env: { PATH: process.env.PATH, ...hub.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  let bytes = 0
  child.stdout.on('data', ({ length }) => { bytes += length })
  try {
    await use({ hub, child, dir, said: () => bytes })
  } finally {
    signalChild(child, 'SIGKILL')
    await hub.close()
    remove()
  }
}

test('a process is recorded: CPU profile, calls, figures, timeline, listeners, heap', async () => {
  await withProcess(server, async ({ hub, child, dir, said }) => {
    /** @param {number} count */
    const burns = (count) => {
      const end = said() + count
      return until(() => said() >= end)
    }
    await until(() => hub.members().length === 1)
    const [member] = hub.members()
    assert.equal(member.pid, child.pid)
    assert.equal(member.main, true)
    await hub.ask('startCpu', { intervalUs: 500 })
    await hub.ask('startFigures')
    await hub.ask('startTimeline', { everyMs: 20 })
    await burns(8)
    const [{ value: timeline }] = await hub.ask('stopTimeline')
    const [{ value: profile }] = await hub.ask('stopCpu')
    const [{ value: figures }] = await hub.ask('stopFigures')
    assert.ok(profile.nodes.some((/** @type {any} */ { callFrame }) => callFrame.functionName === 'burn'))
    assert.ok(figures.wallMs >= 200 && figures.gcMs >= 0)
    assert.ok(figures.cpuMs > 0 && figures.heapBytes > 1e6)
    assert.ok(timeline.points.length > 1 && timeline.points.at(-1).rssBytes > 1e6)

    await hub.ask('startCoverage')
    await burns(3)
    const [{ value: coverage }] = await hub.ask('stopCoverage', { under: 'file:' })
    assert.ok(
      coverage
        .flatMap((/** @type {any} */ { functions }) => functions)
        .some((/** @type {any} */ { name, calls }) => name === 'burn' && calls > 0)
    )

    assert.deepEqual((await hub.ask('listeners', { event: 'after' }))[0].value, 33)
    await hub.ask('startHeap', { intervalBytes: 1024 })
    assert.ok((await hub.ask('stopHeap'))[0].value.head)
    const file = path.join(dir, 'a b.heapsnapshot')
    assert.equal((await hub.ask('snapshot', { file }))[0].value, file)
    assert.ok(fs.statSync(file).size > 1e5)
  })
})

test('threads and children are recorded as well, and a thread without our environment is named', async () => {
  const source = `
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Worker, isMainThread } from 'node:worker_threads'

setInterval(() => {}, 1000)
process.on('disconnect', () => process.exit())
// Its parent may have been killed before it came here.
if (process.argv[2] === 'child' && !process.connected) process.exit()
if (isMainThread && process.argv[2] !== 'child') {
  new Worker(new URL(import.meta.url))
  new Worker('setInterval(() => {}, 1000)', { eval: true, env: {}, execArgv: [] })
  fork(fileURLToPath(import.meta.url), ['child'])
}`
  await withProcess(source, async ({ hub, child }) => {
    await until(() => hub.members().length === 3)
    const kinds = hub
      .members()
      .map(({ pid, main }) => `${pid === child.pid ? 'own' : 'other'} ${main ? 'main' : 'worker'}`)
    assert.deepEqual(kinds.sort(), ['other main', 'own main', 'own worker'])
    await until(() => hub.unrecorded().length === 1)
    assert.equal(hub.unrecorded()[0].pid, child.pid)
  })
})

test('an order that fails, or that a process does not live to answer, is an answer too', async () => {
  await withProcess(server, async ({ hub, child }) => {
    await until(() => hub.members().length === 1)
    assert.match((await hub.ask('stopFigures'))[0].error ?? '', /No figures/)
    assert.match((await hub.ask('nothing like it'))[0].error ?? '', /./)
    const [member] = hub.members()
    const asked = hub.ask('snapshot', { file: path.join(os.tmpdir(), 'never', 'written') })
    signalChild(child, 'SIGKILL')
    assert.match((await asked)[0].error ?? '', /./)
    await until(() => member.isGone())
    assert.deepEqual(await hub.ask('startFigures'), [])
  })
})

test('a blocked process is given up after a while', async () => {
  const source = "import fs from 'node:fs'\nprocess.stdin.once('data', () => { for (fs.writeSync(1, '.'); ;); })"
  await withProcess(source, async ({ hub, child, said }) => {
    await until(() => hub.members().length === 1)
    child.stdin?.write('now')
    await until(() => said() > 0)
    assert.match((await hub.ask('startFigures', {}, { timeoutMs: 200 }))[0].error ?? '', /did not answer within 0\.2 s/)
  })
})

test('told to end, a process closes its servers and ends by itself, whatever its timers', async () => {
  await withProcess(server, async ({ hub, child }) => {
    await until(() => hub.members().length === 1)
    const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve([code, signal])))
    await hub.ask('end', { graceMs: 200 })
    assert.deepEqual(await ended, [0, null])
  })
})

test('a process that isn’t recorded runs as ever', async () => {
  await withProcess('process.exitCode = 7', async ({ child }) => {
    const code = await new Promise((resolve) => child.once('exit', resolve))
    assert.equal(code, 7)
  }, { MAKE_IT_FAST_RECORDER: '1 nobody' })
})

test('who does not know the token is not listened to', async () => {
  const hub = await openHub()
  const [port] = hub.env.MAKE_IT_FAST_RECORDER.split(' ')
  const closed = await Promise.all(
    ['{"hello":"guessed","pid":1}\n', 'nonsense\n', 'null\n'].map(
      (line) =>
        new Promise((resolve) => {
          const socket = connect({ host: '127.0.0.1', port: Number(port) })
          socket.on('close', () => resolve(true))
          socket.on('error', () => {})
          socket.write(line)
        })
    )
  )
  assert.deepEqual(closed, [true, true, true])
  assert.deepEqual(hub.members(), [])
  await hub.close()
})
