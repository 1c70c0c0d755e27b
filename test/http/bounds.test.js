import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import test from 'node:test'
import { boundedServer, createShare, listen } from '../../runner/http/index.js'

test('one address may have much while there is enough for all, and less once half is taken', () => {
  const share = createShare({ most: 20, perAddress: 3 })
  const first = Array.from({ length: 15 }, () => share.enter('10.0.0.1'))
  assert.equal(first.filter((leave) => leave !== null).length, 10)
  for (const address of ['10.0.0.2', '10.0.0.3', '10.0.0.4']) {
    const more = Array.from({ length: 5 }, () => share.enter(address))
    assert.equal(more.filter((leave) => leave !== null).length, 3, address)
  }
  assert.ok(share.enter('127.0.0.1'))
  assert.equal(share.enter('127.0.0.1'), null, 'all are taken')
  const [leave] = first
  leave?.()
  leave?.()
  assert.ok(share.enter('::ffff:127.0.0.1'))
  assert.equal(share.enter('::1'), null, 'what is given back twice is one')
})

test('a server cuts off connections that are too many, and half requests after a while', async (t) => {
  const server = boundedServer({ most: 2, perAddress: 2 })
  const { headersTimeout, requestTimeout } = server
  assert.deepEqual({ headersTimeout, requestTimeout }, { headersTimeout: 10_000, requestTimeout: 30_000 })
  server.on('request', (req, res) => res.end('here'))
  const port = await listen(server, 0, '127.0.0.1')
  const sockets = Array.from({ length: 2 }, () => net.connect(port, '127.0.0.1'))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  for (const socket of sockets) await once(socket, 'connect')
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  for (const socket of sockets) assert.match(String((await once(socket, 'data'))[0]), /here$/)
  const third = net.connect(port, '127.0.0.1').on('error', () => {})
  await once(third, 'close')
  sockets[0].destroy()
  await once(sockets[0], 'close')
  assert.match(await (await fetchUntilServed(port)).text(), /here/)
})

/** The server hears of the end of a connection a moment later. @param {number} port @returns {Promise<Response>} */
function fetchUntilServed (port) {
  return fetch(`http://127.0.0.1:${port}/`).catch(() => fetchUntilServed(port))
}
