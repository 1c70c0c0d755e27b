import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import test from 'node:test'
import { Worker } from 'node:worker_threads'
import { hasStrangers, watchConnections } from '../../runner/process/index.js'
import { unlessSkipped } from '../unless-skipped.js'
import { until } from '../until.js'

const skip = unlessSkipped(process.platform === 'linux', 'The system tells of no connections here: none was looked for')
const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

/** A server whose one thread is kept busy by its first request. @param {import('node:test').TestContext} t */
async function busyServer (t) {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(`
    const { parentPort, workerData } = require('node:worker_threads')
    const server = require('node:http').createServer((req, res) => {
      parentPort.postMessage('busy')
      Atomics.wait(workerData, 0, 0)
      res.end()
    }).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
  `, { eval: true, workerData: gate })
  t.after(async () => {
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
    await worker.terminate()
  })
  const [port] = await once(worker, 'message')
  return { port: Number(port), worker }
}

/** @param {number} port */
function looks (port) {
  const look = watchConnections(port)
  return () => [look([process.pid]), hasStrangers(port, [1])]
}

test('a client that closes its half behind its requests is seen', { skip }, async (t) => {
  const { port, worker } = await busyServer(t)
  const see = looks(port)
  assert.deepEqual(see(), [false, false])
  const client = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  t.after(() => client.destroy())
  client.end(request)
  await once(worker, 'message')
  await until(() => client.writableFinished)
  assert.deepEqual(see(), [true, true])
})

test('a socket that is there before it is connected is looked at again', { skip }, async (t) => {
  const { port, worker } = await busyServer(t)
  const see = looks(port)
  // The only way to a socket that isn't connected, as other languages have it.
  // @ts-expect-error It has no types.
  const { TCP, TCPConnectWrap, constants } = process.binding('tcp_wrap') // eslint-disable-line n/no-deprecated-api
  const early = new TCP(constants.SOCKET)
  t.after(() => early.close())
  early.bind('127.0.0.1', 0)
  assert.deepEqual(see(), [false, false])
  const wrap = new TCPConnectWrap()
  const connecting = new Promise((resolve) => { wrap.oncomplete = resolve })
  early.connect(wrap, '127.0.0.1', port)
  await connecting
  assert.deepEqual(see(), [true, true])
  assert.ok(worker.threadId > 0)
})
