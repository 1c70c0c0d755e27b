import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { changedSince } from '../../../runner/check/files.js'
import { hasVisitors } from '../../../runner/check/slice.js'
import { PortTaken } from '../../../runner/shared/errors.js'
import {
  begunTo, hasStrangers, newRunMarker, scheduling, signalChild, signalOurs
} from '../../../runner/process/index.js'
import { startServer } from '../../../runner/process/start-server.js'
import { temporaryFolder } from '../../temporary.js'
import { until } from '../../until.js'
import { serverFolder, sources } from './servers.js'

/** @import { TestContext } from 'node:test' */

const linux = { skip: process.platform === 'linux' ? false : 'needs /proc' }

test('a connection to a port is a stranger’s unless it is one of those that may', linux, async (t) => {
  const server = net.createServer((socket) => { socket.on('error', () => {}) }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {net.AddressInfo} */ (server.address())
  const socket = net.connect(port, '127.0.0.1')
  t.after(() => {
    socket.destroy()
    server.close()
  })
  await once(socket, 'connect')
  assert.equal(hasStrangers(port, [process.pid]), false)
  assert.equal(hasStrangers(port, []), true)
  assert.equal(hasStrangers(port, [1, 999_999_999]), true)
})

test('a process inherits our scheduling, and a changed priority shows', linux, async (t) => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  t.after(() => signalChild(child, 'SIGKILL'))
  await once(child, 'spawn')
  const pid = Number(child.pid)
  assert.deepEqual(scheduling(pid), scheduling(process.pid))
  os.setPriority(pid, 19)
  assert.notDeepEqual(scheduling(pid), scheduling(process.pid))
})

/** @param {TestContext} t */
async function slowServer (t) {
  const dir = serverFolder(t, sources.good)
  const given = { dir, shownDir: 'slow', role: /** @type {const} */ ('baseline'), dataDir: dir }
  const { server } = await startServer({ ...given, runMarker: newRunMarker() })
  assert.ok(server)
  t.after(() => server.stop())
  return server
}

test('a slow server counts every connection, and one that we didn’t begin is a stranger’s', async (t) => {
  const { port, origin, accepted } = await slowServer(t)
  await fetch(origin)
  for (let count = 0; count < 3; count++) net.connect(port, '127.0.0.1').on('error', () => {}).destroy()
  await (await fetch(origin)).text()
  await until(() => Number(accepted()) > 1)
  // What never got there is no stranger’s.
  assert.equal(hasVisitors(accepted(), begunTo(port)), false)
  const reset = `const net = require('net'); const socket = net.connect(${port}, '127.0.0.1', () => {
    socket.write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n', () => socket.resetAndDestroy()) })`
  for (let count = 0; count < 5; count++) await once(spawn(process.execPath, ['-e', reset]), 'exit')
  await until(() => hasVisitors(accepted(), begunTo(port)))
  assert.equal(hasVisitors(null, 0), false)
  assert.equal(hasVisitors(3, null), false)
})

test('SIGUSR1 does nothing to a slow server', linux, async (t) => {
  const server = await slowServer(t)
  const { proof, origin, outputBytes } = server
  // Node.js says where its inspector listens, and this other one has done so.
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log()'])
  t.after(() => signalChild(other, 'SIGKILL'))
  await once(other.stdout, 'data')
  assert.equal(signalOurs(proof, 'SIGUSR1').length, 1)
  signalChild(other, 'SIGUSR1')
  await once(other.stderr, 'data')
  assert.equal(outputBytes(), 0)
  assert.equal(await (await fetch(origin)).text(), 'ok')
})

test('a file that was written, replaced or removed since then is found', async (t) => {
  const dir = temporaryFolder(t)
  fs.mkdirSync(path.join(dir, 'sub'))
  const file = path.join(dir, 'sub', 'a.js')
  fs.writeFileSync(file, 'a')
  fs.writeFileSync(path.join(dir, 'b.js'), 'b')
  const changedAt = (/** @type {string} */ name) => fs.statSync(name).ctimeMs
  const before = Math.max(...[dir, path.dirname(file), file, path.join(dir, 'b.js')].map(changedAt))
  assert.equal(changedSince(dir, before), null)
  // The clock of a file system may be coarse.
  await until(() => {
    fs.appendFileSync(file, 'b')
    return changedAt(file) > before
  })
  // Its own times can be set back, that of the change cannot.
  fs.utimesSync(file, 0, 0)
  assert.equal(changedSince(dir, before), file)
  fs.rmSync(path.join(dir, 'b.js'))
  assert.equal(changedSince(dir, before), dir)
})

test('a port that another program takes first is left to it, and the server gets another one', linux, async (t) => {
  for (const [times, isReady] of /** @type {const} */ ([[2, true], [3, false]])) {
    let left = times
    const asks = http.createServer(async (req, res) => {
      if (left-- <= 0) return res.end('free')
      const thief = net.createServer().listen(Number(req.url?.slice(1)), '127.0.0.1')
      t.after(() => thief.close())
      await once(thief, 'listening')
      res.end('taken')
    }).listen(0, '127.0.0.1')
    t.after(() => asks.close())
    await once(asks, 'listening')
    const { port } = /** @type {net.AddressInfo} */ (asks.address())
    const dir = serverFolder(t, `fetch('http://127.0.0.1:${port}/' + process.env.PORT).then((res) => res.text())
      .then((word) => { if (word === 'free') ${sources.good} })
      setInterval(() => {}, 1000)`)
    const starting = startServer({ dir, shownDir: 'mine', role: 'yours', dataDir: dir, runMarker: newRunMarker() })
    if (!isReady) {
      await assert.rejects(starting, PortTaken)
      continue
    }
    const { server, failure } = await starting
    t.after(() => server?.stop())
    assert.equal(failure, null)
  }
})
