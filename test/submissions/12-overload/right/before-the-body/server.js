'use strict'
const fs = require('node:fs')
const path = require('node:path')
const { json } = require('node:stream/consumers')
const restify = require('restify')
const { openBook } = require('./book.js')
const { openDoor } = require('./door.js')

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const { opening, prices } = JSON.parse(fs.readFileSync(path.join(DATA_DIR, 'desk.json'), 'utf8'))
const book = openBook(opening)
const door = openDoor({ most: 8 })

const server = restify.createServer({ name: 'desk' })

// Who comes when the room is full is sent away before anything of the order is read.
server.pre((req, res, next) => {
  if (req.method !== 'POST' || door.enter(res)) return next()
  req.resume()
  answer(res, 503, { error: 'overloaded' }, { 'Retry-After': '1' })
  next(false)
})

server.get('/healthz', async (req, res) => answer(res, 200, { status: 'ok' }))

server.post('/quotes', async (req, res) => {
  const order = await json(req).catch(() => undefined)
  if (order === undefined) return answer(res, 400, { error: 'bad_request' })
  const { product, kilos } = order ?? {}
  if (!Object.hasOwn(prices, product) || !Number.isInteger(kilos) || kilos < 1 || kilos > 100_000) {
    return answer(res, 400, { error: 'invalid_order' })
  }
  await door.turn()
  if (!res.destroyed) answer(res, 201, book.add({ product, kilos, cents: kilos * prices[product] }))
})

server.get('/quotes/:number', async (req, res) => {
  const quote = book.get(Number(req.params.number))
  answer(res, quote ? 200 : 404, quote ?? { error: 'not_found' })
})

server.on('restifyError', (req, res, { statusCode }) => {
  const known = statusCode < 500
  if (!res.headersSent) answer(res, known ? 404 : 500, { error: known ? 'not_found' : 'internal_error' })
})
server.listen(Number(PORT), HOST)

function answer (res, status, value, headers) {
  const body = JSON.stringify(value)
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...headers
  })
  res.end(body)
}
