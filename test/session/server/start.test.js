import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { findOurs, isThere, markerOf, newRunMarker, signalOurs } from '../../../runner/process/index.js'
import { answers } from '../../../runner/process/sockets.js'
import { startServer } from '../../../runner/process/start-server.js'
import { setVariables } from '../../environment.js'
import { temporaryFolder } from '../../temporary.js'
import { until } from '../../until.js'
import { serverFolder, sources } from './servers.js'

const linux = { skip: process.platform === 'linux' ? false : 'needs /proc' }
const signals = { skip: process.platform === 'win32' }
const left = (/** @type {string} */ runMarker) => findOurs({ noted: [], markers: [markerOf('run', runMarker)] })

/**
 * @param {import('node:test').TestContext} t
 * @param {string} source
 * @param {Partial<Parameters<typeof startServer>[0]>} [options]
 */
async function start (t, source, options) {
  const dir = serverFolder(t, source)
  const marker = newRunMarker()
  const started = await startServer({
    dir,
    shownDir: 'mine',
    role: 'yours',
    dataDir: dir,
    runMarker: marker,
    ...options
  })
  t.after(async () => {
    await started.server?.stop()
    assert.deepEqual(left(marker), [], 'a process was left behind')
  })
  return started
}

test('a server is ready when its port answers, also in a folder with spaces and umlauts', async (t) => {
  const dir = path.join(temporaryFolder(t), 'mit Größe')
  fs.cpSync(serverFolder(t, sources.good), dir, { recursive: true })
  const { server, failure } = await start(t, sources.good, { dir })
  assert.equal(failure, null)
  assert.equal(await (await fetch(server.origin)).text(), 'ok')
})

test('it gets PORT, HOST, NODE_ENV and DATA_DIR, and none of our secrets', async (t) => {
  setVariables(t, { SOME_TOKEN: 'secret', NODE_OPTIONS: '' })
  const { server } = await start(
    t,
    "require('http').createServer((q, r) => r.end(JSON.stringify(process.env)))" +
      '.listen(process.env.PORT, process.env.HOST)'
  )
  assert.ok(server)
  const env = /** @type {NodeJS.ProcessEnv} */ (await (await fetch(server.origin)).json())
  assert.equal(env.HOST, '127.0.0.1')
  assert.equal(env.NODE_ENV, 'production')
  assert.ok(env.DATA_DIR && env.PORT)
  assert.equal(env.SOME_TOKEN, undefined)
  assert.equal(env.NODE_OPTIONS, undefined)
})

for (const [name, pattern] of /** @type {[keyof typeof sources, RegExp][]} */ ([
  ['exitsAtOnce', /^server\.js ended with exit code 0 before it listened on process\.env\.PORT\.$/],
  ['exitsWithCode', /^server\.js ended with exit code 7 before it listened .*: Error: no database\.$/],
  [
    'throws',
    /^server\.js ended with exit code 1 .*TypeError: Cannot read properties of undefined.*\(mine[\\/]server\.js:2\)\.$/
  ],
  ['syntaxError', /^server\.js ended with exit code 1 .*SyntaxError.*\(mine[\\/]server\.js:2\)\.$/],
  ['missingPackage', /^server\.js ended with exit code 1 .*Cannot find module 'no-such-package'/]
])) {
  test(`a server that ${name} is refused in one sentence that names the fix`, async (t) => {
    const { failure } = await start(t, sources[name])
    assert.match(/** @type {string} */ (failure), pattern)
    assert.doesNotMatch(/** @type {string} */ (failure), /\n/)
  })
}

test('a server that ends at the first sign of life is told to have ended, and nothing else answers', async (t) => {
  const { server, failure } = await start(t, `
    const server = require('net').createServer(() => {
      server.close()
      setTimeout(() => process.exit(7), 100)
    }).listen(process.env.PORT, process.env.HOST)`)
  await server?.exited
  // It may have been seen to listen before it closed its port.
  assert.match(failure ?? `server.js ${server?.howItEnded()} as soon as it listened`,
    /^server\.js ended with exit code 7 as soon as it listened/)
})

test('a server that never listens is told so', async (t) => {
  const { failure } = await start(t, sources.neverListens, { readyTimeoutMs: 600 })
  assert.match(/** @type {string} */ (failure), /did not listen on process\.env\.PORT within 1 s: does it call listen/)
})

test('a server that listens on another port is told which', linux, async (t) => {
  const { failure } = await start(t, sources.otherPort, { readyTimeoutMs: 600 })
  assert.match(/** @type {string} */ (failure), /listens on port \d+, not on process\.env\.PORT/)
})

test('an inspector that’s open for longer than a server needs to listen isn’t another port', linux, async (t) => {
  const slow = `setTimeout(() => { ${sources.good} }, 3000)`
  const { server, failure } = await start(t, slow, { inspect: true })
  assert.equal(failure, null)
  assert.notEqual(server?.inspector(), null)
})

test('a server that listens on IPv6 only is told so', async (t) => {
  const { failure } = await start(t, sources.ipv6Only, { readyTimeoutMs: 600 })
  if (/EADDRNOTAVAIL/.test(/** @type {string} */ (failure))) return t.skip('this machine has no IPv6')
  assert.match(
    /** @type {string} */ (failure),
    /listens on ::1 only and does not answer on 127\.0\.0\.1: give listen\(\) process\.env\.HOST/
  )
})

test('a server that floods its output is drained, and the first and last lines are kept', async (t) => {
  const { server } = await start(t, sources.floods)
  assert.ok(server)
  const before = process.memoryUsage().rss
  await until(() => server.outputBytes() >= 2e6)
  assert.ok(process.memoryUsage().rss - before < 60e6, 'it is not kept')
  assert.equal((await fetch(server.origin)).status, 200)
  assert.ok(server.output().split('\n').length <= 12)
})

test('a server that ignores the request to stop is killed, and that is said', signals, async (t) => {
  const { server } = await start(t, sources.ignoresStop)
  assert.ok(server)
  const { forced } = await server.stop()
  assert.equal(forced, true)
  assert.deepEqual(findOurs(server.proof), [])
})

test('a child that keeps the port is found and stopped', linux, async (t) => {
  const { server } = await start(t, sources.childKeepsPort)
  assert.ok(server)
  assert.equal(await answers('127.0.0.1', server.port), true)
  const { orphans } = await server.stop()
  assert.equal(orphans, 1)
  assert.equal(await answers('127.0.0.1', server.port), false)
})

test('a process that ends by itself soon after its server is not left behind', linux, async (t) => {
  const { server } = await start(t, sources.startsOneAtTheEnd)
  assert.ok(server)
  assert.deepEqual(await server.stop({ graceMs: 20_000 }), { forced: false, orphans: 0 })
  assert.deepEqual(findOurs(server.proof), [])
})

test('a child that answers in place of a server that has ended is found out', linux, async (t) => {
  const { server } = await start(t, sources.childOutlivesIt)
  if (server) {
    await server.exited
    assert.match(/** @type {string} */ (server.howItEnded()), /exit code 0/)
    assert.equal(server.hasExited(), true)
  }
})

test('children without the marker are stopped with it, however fast it ends itself', signals, async (t) => {
  const { server } = await start(t, sources.childrenWithoutMarker)
  assert.ok(server)
  const family = findOurs(server.proof)
  assert.equal(family.length, 3)
  await server.stop()
  assert.deepEqual(family.filter(isThere), [])
})

test('what a server that ended by itself leaves in its group is stopped', signals, async (t) => {
  const { server } = await start(t, sources.childrenWithoutMarker)
  assert.ok(server)
  const family = findOurs(server.proof)
  const [own, inGroup] = family.filter(({ group }) => group === server.pid)
  t.after(() => signalOurs({ noted: family, markers: [] }, 'SIGKILL'))
  await fetch(`${server.origin}/end`).catch(() => {})
  await server.exited
  assert.deepEqual(server.proof.noted.map(({ pid }) => pid), [own.pid, inGroup.pid])
  await server.stop()
  assert.equal(isThere(inGroup), false)
})

test('Ctrl-C while a server starts leaves nothing behind', async (t) => {
  const dir = serverFolder(t, sources.neverListens)
  const marker = newRunMarker()
  const controller = new AbortController()
  const reason = new Error('stop')
  setTimeout(() => controller.abort(reason), 150)
  await assert.rejects(
    startServer({ dir, shownDir: 'mine', role: 'yours', dataDir: dir, runMarker: marker, signal: controller.signal }),
    reason
  )
  assert.deepEqual(left(marker), [])
})

test('CPU time is counted for the whole tree', linux, async (t) => {
  const { server } = await start(t, `
    const { spawn } = require('child_process')
    if (process.argv[2]) for (;;);
    spawn(process.execPath, [__filename, 'busy'])
    ${sources.good}`)
  assert.ok(server)
  const before = await server.use()
  assert.ok(before)
  await until(async () => Number((await server.use())?.cpuMs) - before.cpuMs > 50)
})
