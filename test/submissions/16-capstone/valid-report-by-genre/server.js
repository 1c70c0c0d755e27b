// restify; a report kept by genre, of which a new review throws away the rows of its film.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import querystring from 'node:querystring'
import express from 'express'
import restify from 'restify'
import { openAccessLog } from './access-log.js'
import { filmById, gzipped, plain, search } from './catalogue.js'
import { logIn, userOf } from './login.js'
import { offerFor, UpstreamError } from './offers.js'
import { addReview, newestReviews, report } from './reviews.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const settings = JSON.parse(readFileSync(path.join(DATA_DIR, 'settings.json'), 'utf8'))
const log = openAccessLog(path.join(DATA_DIR, 'access.log'))
const readBody = express.json()

const server = restify.createServer({ name: 'films', ignoreTrailingSlash: true })
server.pre(log.middleware)

read('/healthz', (req, res) => send(res, 200, { status: 'ok' }))

read('/films', (req, res) => {
  const isGzipped = /\bgzip\b/.test(req.headers['accept-encoding'] ?? '')
  res.sendRaw(200, isGzipped ? gzipped : plain, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': (isGzipped ? gzipped : plain).length,
    ...isGzipped ? { 'Content-Encoding': 'gzip' } : {},
    Vary: 'Accept-Encoding'
  })
})

read('/films/:id', async (req, res) => {
  const film = filmById(req.params.id)
  if (!film) return send(res, 404, { error: 'not_found' })
  const { price, stock } = await offerFor(film.id)
  send(res, 200, { ...film, price, stock }, { 'Cache-Control': 'no-store' })
})

read('/search', (req, res) => {
  const query = querystring.parse(req.url.split('?').slice(1).join('?'))
  const limit = Number(query.limit ?? settings.limit)
  const { text } = query
  if (typeof text !== 'string' || text === '' || !Number.isInteger(limit) || limit < 1) {
    return send(res, 400, { error: 'bad_request' })
  }
  send(res, 200, search(text, limit))
})

read('/films/:id/reviews', (req, res) => {
  const film = filmById(req.params.id)
  if (!film) return send(res, 404, { error: 'not_found' })
  send(res, 200, newestReviews(film.id, settings.reviews))
})

server.post('/films/:id/reviews', answerWith(async (req, res) => {
  const body = await bodyOf(req, res)
  const user = userOf(req)
  if (!user) return send(res, 401, { error: 'unauthorised' })
  const film = filmById(req.params.id)
  if (!film) return send(res, 404, { error: 'not_found' })
  const { stars, text } = body ?? {}
  if (!Number.isInteger(stars) || stars < 1 || stars > 5 || typeof text !== 'string') {
    return send(res, 400, { error: 'bad_request' })
  }
  send(res, 201, addReview({ film: film.id, user: user.name, stars, text }))
}))

read('/report', (req, res) => send(res, 200, report()))

server.post('/login', answerWith(async (req, res) => {
  const { email, password } = await bodyOf(req, res) ?? {}
  if (typeof email !== 'string' || typeof password !== 'string') return send(res, 400, { error: 'bad_request' })
  const token = await logIn(email, password)
  if (!token) return send(res, 401, { error: 'bad_credentials' })
  send(res, 200, { token })
}))

for (const event of ['NotFound', 'MethodNotAllowed']) {
  server.on(event, (req, res, error, done) => {
    send(res, 404, { error: 'not_found' })
    done()
  })
}

function read (path, answer) {
  server.get(path, answerWith(answer))
  server.head(path, answerWith(answer))
}

function answerWith (answer) {
  return (req, res, next) => {
    new Promise((resolve) => resolve(answer(req, res)))
      .catch((error) => sendError(res, error))
      .then(() => next(false))
  }
}

function bodyOf (req, res) {
  return new Promise((resolve, reject) => {
    req.body = undefined
    readBody(req, res, (error) => error ? reject(error) : resolve(req.body))
  })
}

function sendError (res, error) {
  if (res.headersSent) return
  if (error instanceof UpstreamError) return send(res, 502, { error: 'upstream_failed', service: error.service })
  const status = error.status ?? 500
  send(res, status, { error: status < 500 ? 'bad_request' : 'internal_error' })
}

// Raw: restify's own send picks a formatter by the client's Accept, and the shop speaks JSON only.
function send (res, status, body, headers) {
  const text = JSON.stringify(body)
  res.sendRaw(status, text, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...headers
  })
}

server.listen(Number(PORT), HOST)

process.on('SIGTERM', () => {
  server.server.close(async () => {
    await log.flush()
    process.exit()
  })
  setTimeout(() => server.server.closeAllConnections(), 200).unref()
})
