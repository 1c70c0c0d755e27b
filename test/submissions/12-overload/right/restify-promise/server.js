// Restify, and a line that promises a time and measures what a quote costs.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import restify from 'restify'
import { openBook } from './book.js'
import { openLine } from './line.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const { opening, prices } = JSON.parse(readFileSync(path.join(DATA_DIR, 'desk.json'), 'utf8'))
const centsPerKilo = new Map(Object.entries(prices))
const book = openBook(opening)
const line = openLine({
  promiseMs: 100,
  work: ({ req, res, order }) => answer(req, res, 201, book.add(order))
})

const MOST_BYTES = 100 * 1024

const server = restify.createServer({ name: '' })

server.post('/quotes', (req, res, next) => {
  // Its order may have to wait in the line.
  res.once('finish', () => next(false))
  const chunks = []
  let bytes = 0
  req.on('data', (chunk) => {
    bytes += chunk.length
    if (bytes <= MOST_BYTES) chunks.push(chunk)
  })
  req.on('error', () => {})
  req.on('end', () => {
    if (bytes > MOST_BYTES) answer(req, res, 413, { error: 'bad_request' })
    else take(req, res, Buffer.concat(chunks).toString())
  })
})

function take (req, res, text) {
  let body = {}
  if (/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '') && text !== '') {
    try {
      body = JSON.parse(text)
    } catch {
      return answer(req, res, 400, { error: 'bad_request' })
    }
  }
  const { product, kilos } = body ?? {}
  if (!centsPerKilo.has(product) || !Number.isInteger(kilos) || kilos < 1 || kilos > 100_000) {
    return answer(req, res, 400, { error: 'invalid_order' })
  }
  if (line.isFull) return answer(req, res, 503, { error: 'overloaded' }, { 'Retry-After': String(line.retryAfter) })
  line.join({
    req,
    res,
    order: { product, kilos, cents: kilos * centsPerKilo.get(product) },
    isGone: () => res.destroyed || req.socket.destroyed
  })
}

for (const method of ['get', 'head']) {
  server[method]('/healthz', (req, res, next) => {
    answer(req, res, 200, { status: 'ok' })
    next(false)
  })
  server[method]('/quotes/:number', (req, res, next) => {
    const quote = book.get(Number(req.params.number))
    if (quote) answer(req, res, 200, quote)
    else answer(req, res, 404, { error: 'not_found' })
    next(false)
  })
}

for (const event of ['NotFound', 'MethodNotAllowed']) {
  server.on(event, (req, res, error, done) => {
    sendError(res, 404, 'not_found')
    done()
  })
}
server.on('restifyError', (req, res, error, done) => {
  const status = error.statusCode ?? 500
  if (!res.headersSent) sendError(res, status, status < 500 ? 'bad_request' : 'internal_error')
  done()
})

server.listen(Number(PORT), HOST)

// Restify answers itself unless it was told by its own means that somebody did.
function sendError (res, status, error) {
  const body = JSON.stringify({ error })
  res.sendRaw(status, body, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body)
  })
}

function answer (req, res, status, value, headers) {
  const body = JSON.stringify(value)
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...headers
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}
