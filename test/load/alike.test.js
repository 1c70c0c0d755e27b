import assert from 'node:assert/strict'
import net from 'node:net'
import test from 'node:test'
import { send } from '../../runner/contract/client.js'
import { runClosedLoop } from '../../runner/load/closed-loop.js'
import { startOpenLoop } from '../../runner/load/open-loop.js'
import { until } from '../until.js'

/** @import { Item } from '../../runner/lesson/index.js' */

const check = () => undefined
/** @type {Item[]} */
const requests = [
  { path: '/', check },
  { path: '/', headers: { cookie: 'a=b', accept: 'text/html' }, check },
  { path: '/', method: 'POST', json: { a: 'ü' }, check },
  { path: '/', method: 'POST', headers: { authorization: 'Bearer x', 'accept-language': 'de' }, json: { a: 1 }, check },
  { path: '/', method: 'POST', headers: { cookie: 'a=b' }, check }
]

for (const [i, request] of requests.entries()) {
  test(`contract, closed loop and open loop send the same bytes: request ${i + 1}`, async (t) => {
    /** @type {string[]} */
    const got = []
    const server = net.createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (data) => {
        got.push(data.toString())
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      })
    })
    t.after(() => server.close())
    await new Promise((/** @type {(value: void) => void} */ resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = /** @type {net.AddressInfo} */ (server.address())
    await send(`http://127.0.0.1:${port}`, request)
    await runClosedLoop({ port, connections: 1, next: () => request, onAnswer: () => false })
    const loop = startOpenLoop({ port, rate: 100, next: () => request, onAnswer: () => {} })
    await until(() => got.length >= 3)
    await loop.stop()
    assert.deepEqual(new Set(got), new Set([got[0]]))
  })
}
