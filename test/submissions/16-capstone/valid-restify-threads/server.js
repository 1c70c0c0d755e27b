import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'node:querystring'
import { json } from 'node:stream/consumers'
import restify from 'restify'
import { openAccessLog } from '../../../../solutions/16-capstone/access-log.js'
import { catalogue, catalogueGzipped, filmById, search } from '../../../../solutions/16-capstone/catalogue.js'
import { addReview, newestReviews, report } from '../../../../solutions/16-capstone/reviews.js'
import { offerFor } from './offers.js'
import { logIn, userOf } from './people.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const settings = Object.freeze(JSON.parse(readFileSync(path.join(DATA_DIR, 'settings.json'), 'utf8')))
const log = openAccessLog(path.join(DATA_DIR, 'access.log'))
const server = restify.createServer({ name: 'films' })

server.pre((req, res, next) => {
  const startedAt = performance.now()
  const { method, url, headers: { 'x-request-id': id } } = req
  res.on('close', () => log.add({
    time: new Date().toISOString(),
    id,
    method,
    url,
    status: res.statusCode,
    durationMs: performance.now() - startedAt
  }))
  next()
})

server.get('/healthz', async (req, res) => answer(res, 200, { status: 'ok' }))

server.get('/films', async (req, res) => {
  const zipped = /\bgzip\b/.test(req.headers['accept-encoding'] ?? '')
  send(res, 200, zipped ? catalogueGzipped : catalogue, {
    Vary: 'Accept-Encoding',
    ...(zipped && { 'Content-Encoding': 'gzip' })
  })
})

server.get('/films/:id', async (req, res) => {
  const film = filmById(req.params.id)
  if (!film) return notFound(res)
  const { failed, ...offer } = await offerFor(film.id)
  if (failed) return answer(res, 502, { error: 'upstream_failed', service: failed })
  answer(res, 200, { ...film, ...offer }, { 'Cache-Control': 'no-store' })
})

server.get('/search', async (req, res) => {
  const { text, limit: given } = parse(req.url.split('?')[1])
  const limit = Number(given ?? settings.limit)
  if (typeof text !== 'string' || text === '' || !Number.isInteger(limit) || limit < 1) return badRequest(res)
  send(res, 200, `[${search(text, limit).join()}]`)
})

server.get('/films/:id/reviews', async (req, res) => {
  const film = filmById(req.params.id)
  if (!film) return notFound(res)
  answer(res, 200, newestReviews(film.id, settings.reviews))
})

server.post('/films/:id/reviews', async (req, res) => {
  const body = await json(req).catch(() => undefined)
  if (body === undefined) return badRequest(res)
  const user = userOf(req.headers.authorization ?? '')
  if (!user) return answer(res, 401, { error: 'unauthorised' })
  const film = filmById(req.params.id)
  if (!film) return notFound(res)
  const { stars, text } = body ?? {}
  if (!Number.isInteger(stars) || stars < 1 || stars > 5 || typeof text !== 'string') return badRequest(res)
  answer(res, 201, addReview({ film: film.id, user: user.name, stars, text }))
})

server.get('/report', async (req, res) => answer(res, 200, report()))

server.post('/login', async (req, res) => {
  const { email, password } = await json(req).catch(() => undefined) ?? {}
  if (typeof email !== 'string' || typeof password !== 'string') return badRequest(res)
  const token = await logIn(email, password)
  answer(res, token ? 200 : 401, token ? { token } : { error: 'bad_credentials' })
})

server.on('restifyError', (req, res, { statusCode }) => {
  if (res.headersSent) return
  if (statusCode < 500) notFound(res)
  else answer(res, 500, { error: 'internal_error' })
})
server.listen(Number(PORT), HOST)

process.on('SIGTERM', () => {
  // First the requests in flight, then their lines.
  server.server.close(() => log.close(() => process.exit()))
  setTimeout(() => server.server.closeAllConnections(), 200).unref()
})

function notFound (res) {
  answer(res, 404, { error: 'not_found' })
}

function badRequest (res) {
  answer(res, 400, { error: 'bad_request' })
}

function answer (res, status, value, headers) {
  send(res, status, JSON.stringify(value), headers)
}

function send (res, status, body, headers) {
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...headers
  })
  res.end(body)
}
