import { readFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { openBook } from './book.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

// Nobody is served later than this after his arrival, and nobody waits longer to be sent away.
const PATIENCE_MS = 60
// What is still in the line may not need more memory than this, whatever the clock does.
const MOST_WAITING = 50

const { opening, prices } = JSON.parse(readFileSync(path.join(DATA_DIR, 'desk.json'), 'utf8'))
const book = openBook(opening)
const line = []
let running = false

// One new connection is taken in for each turn of the loop.
const TURNS = 16

http.createServer((req, res) => {
  const number = /^\/quotes\/(\d+)$/.exec(req.url)?.[1]
  if (req.method === 'POST' && req.url === '/quotes') return readBody(req, (text) => takeOrder(res, text))
  if (req.method !== 'GET') return send(res, 404, { error: 'not_found' })
  if (req.url === '/healthz') return send(res, 200, { status: 'ok' })
  const quote = number === undefined ? undefined : book.get(Number(number))
  if (quote) send(res, 200, quote)
  else send(res, 404, { error: 'not_found' })
}).listen(Number(PORT), HOST)

function readBody (req, done) {
  const chunks = []
  req.on('data', (chunk) => chunks.push(chunk))
  req.on('end', () => done(Buffer.concat(chunks).toString()))
}

function takeOrder (res, text) {
  let order
  try {
    order = JSON.parse(text)
  } catch {
    return send(res, 400, { error: 'bad_request' })
  }
  const { product, kilos } = order ?? {}
  if (!Object.hasOwn(prices, product) || !Number.isInteger(kilos) || kilos < 1 || kilos > 100_000) {
    return send(res, 400, { error: 'invalid_order' })
  }
  if (line.length >= MOST_WAITING) return refuse(res)
  line.push({ res, entry: { product, kilos, cents: kilos * prices[product] }, arrivedAt: performance.now() })
  if (!running) setImmediate(serveNext, TURNS)
  running = true
}

function serveNext (turnsLeft) {
  if (turnsLeft > 0) return setImmediate(serveNext, turnsLeft - 1)
  const now = performance.now()
  while (line.length > 0 && now - line[0].arrivedAt > PATIENCE_MS) refuse(line.shift().res)
  const next = line.shift()
  if (next) send(next.res, 201, book.add(next.entry))
  running = line.length > 0
  if (running) setImmediate(serveNext, TURNS)
}

function refuse (res) {
  send(res, 503, { error: 'overloaded' }, { 'Retry-After': '1' })
}

function send (res, status, body, headers = {}) {
  const text = JSON.stringify(body)
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...headers
  })
  res.end(text)
}
