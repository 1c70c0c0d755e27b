import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import test from 'node:test'
import { whileSomeLeave } from '../../lessons/12-overload/trouble.js'

test('lesson 12: a server whose numbers never rise is refused, and not asked for ever', async (t) => {
  const server = http.createServer((req, res) => res.writeHead(201).end('{"number":1}')).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const order = { product: 'rye', kilos: 1 }
  await assert.rejects(whileSomeLeave(`http://127.0.0.1:${port}`, order), {
    message: 'POST /quotes: 12 more orders later, no quote has had the number 13'
  })
})
