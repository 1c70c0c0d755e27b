import assert from 'node:assert/strict'
import http from 'node:http'
import test from 'node:test'
import { askOnce, startOpenLoop } from '../../runner/load/open-loop.js'
import { until } from '../until.js'
import { httpServer, rawServer } from './trap-server.js'

const next = () => ({ path: '/healthz', check: () => undefined })

test('a server that stalls is asked on, and every one of those requests counts from when it was due', async () => {
  let stalledUntil = 0
  const server = await httpServer((_req, res) => {
    stalledUntil ||= performance.now() + 300
    setTimeout(() => res.end(), Math.max(0, stalledUntil - performance.now()))
  })
  let answers = 0
  const loop = startOpenLoop({ port: server.port, rate: 50, next, onAnswer: () => { answers++ } })
  await until(() => answers > 5)
  const { latencies, problems } = await loop.stop()
  await server.close()
  assert.deepEqual(problems, [])
  // A sender that waits for its answers would have one long latency; here each request due during the stall has its
  // own.
  const long = latencies.filter((latency) => latency > 40)
  assert.ok(long.length >= 5, `${long.length} long latencies of ${latencies.length}`)
})

test('what is in flight is waited for when it stops', async () => {
  let asked = 0
  const server = await httpServer((_req, res) => {
    asked++
    setTimeout(() => res.end('x'), 50)
  })
  let answers = 0
  const loop = startOpenLoop({ port: server.port, rate: 100, next, onAnswer: () => { answers++ } })
  await until(() => asked > 0)
  const { latencies } = await loop.stop()
  await server.close()
  assert.ok(answers > 0)
  assert.equal(latencies.length, answers)
})

test('lost connections, cut answers and no answer are problems with a kind', async () => {
  const kinds = []
  for (const listener of [
    (/** @type {any} */ _req, /** @type {any} */ res) => res.destroy(),
    (/** @type {any} */ _req, /** @type {any} */ res) => {
      res.writeHead(200, { 'Content-Length': 100 })
      res.write('x')
      setTimeout(() => res.destroy(), 5)
    },
    () => {}
  ]) {
    let asked = 0
    const server = await httpServer((req, res) => {
      asked++
      listener(req, res)
    })
    const loop = startOpenLoop({ port: server.port, rate: 20, next, onAnswer: () => {}, answerTimeoutMs: 200 })
    await until(() => asked > 0)
    const { problems } = await loop.stop()
    await server.close()
    kinds.push(problems[0]?.kind)
  }
  assert.deepEqual(kinds, ['closed', 'cut', 'no answer'])
})

test('an answer that was sent before its request is no answer: latencies cannot be foretold away', async () => {
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'
  let sendUnasked = () => {}
  let isClosed = false
  const server = await rawServer((socket) => {
    socket.once('close', () => { isClosed = true })
    socket.write(answer)
    sendUnasked = () => socket.write(answer)
  })
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  /** @type {(string | undefined)[]} */
  const kinds = []
  const ask = async () => {
    const onUnasked = (/** @type {{ kind: string }} */ { kind }) => kinds.push(kind)
    const { problem } = await askOnce({ port: server.port, agent, item: next(), onUnasked })
    kinds.push(problem?.kind)
  }
  await ask()
  await until(() => Object.keys(agent.freeSockets).length > 0)
  const [socket] = Object.values(agent.freeSockets).flatMap((free) => free ?? [])
  const read = socket.bytesRead
  sendUnasked()
  // Newer Node.js closes such a connection by itself.
  await until(() => socket.bytesRead > read || isClosed)
  await ask()
  agent.destroy()
  await server.close()
  assert.deepEqual(kinds.slice(0, 2), [undefined, 'unasked'])
})
