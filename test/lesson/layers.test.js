import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, mock, test } from 'node:test'
import express from 'express'

/** @type {any[][]} what it printed */
const tables = []
mock.method(console, 'table', (/** @type {any[]} */ rows) => tables.push(rows))
mock.timers.enable({ apis: ['setInterval'] })
// Its types are those of any Express server: none.
await import(new URL('../../lessons/08-framework/layers.mjs', import.meta.url).href)

const app = express()
app.set('env', 'test')
app.use(function first (req, res, next) { next() })
app.use(async (req, res, next) => {
  await null
  if (req.url === '/rejected') throw new Error('rejected')
  next()
})
app.use('/router', express.Router().get('/', (req, res) => { res.send('of a router') }))
app.use(function last (req, res) { res.send('of the last layer') })
app.use((/** @type {Error} */ { message }, /** @type {any} */ req, /** @type {any} */ res, /** @type {any} */ next) => {
  res.status(500).send(message)
})
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.close()
  server.closeAllConnections()
})

const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
const get = async (/** @type {string} */ path) => {
  // A rejection that's lost leaves its request without a response.
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(20_000) })
  return response.text()
}

test('layers.mjs leaves every response as it is, and a rejection to the error handler', async () => {
  assert.equal(await get('/'), 'of the last layer')
  assert.equal(await get('/router'), 'of a router')
  assert.equal(await get('/rejected'), 'rejected')
})

test('it prints each layer that called next with its place, and begins again after that', async () => {
  mock.timers.tick(5000)
  assert.deepEqual(tables.flat().map(({ layer, calls }) => `${calls} ${layer.replace(/\d+/, 'N')}`), [
    '3 layers.test.js:N first',
    '2 layers.test.js:N'
  ])
  mock.timers.tick(5000)
  assert.equal(tables.length, 1)
})
