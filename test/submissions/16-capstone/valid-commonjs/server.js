'use strict'
const http = require('node:http')
const { parse } = require('node:querystring')
const { json } = require('body-parser')
const finalhandler = require('finalhandler')
const Router = require('router')
const { read } = require('./data.js')
const films = require('./films.js')
const { logRequest, closeLog } = require('./log.js')
const { logIn, userOf } = require('./login.js')
const { offerFor } = require('./offers.js')
const reviews = require('./reviews.js')

const { PORT = 3000, HOST = '127.0.0.1' } = process.env
const settings = Object.freeze(read('settings.json'))
const router = Router()

router.get('/healthz', (req, res) => send(res, 200, '{"status":"ok"}'))

router.get('/films', (req, res) => {
  res.setHeader('Vary', 'Accept-Encoding')
  if (!/\bgzip\b/.test(req.headers['accept-encoding'] ?? '')) return send(res, 200, films.text)
  res.setHeader('Content-Encoding', 'gzip')
  send(res, 200, films.gzipped)
})

router.get('/films/:id', async (req, res) => {
  const film = films.byId.get(req.params.id)
  if (!film) return notFound(req, res)
  const offer = await offerFor(film.id)
  res.setHeader('Cache-Control', 'no-store')
  sendJson(res, 200, { ...film, ...offer })
})

router.get('/search', (req, res) => {
  const { text, limit: given } = parse(req.url.split('?')[1])
  const limit = Number(given ?? settings.limit)
  if (typeof text !== 'string' || text === '' || !Number.isInteger(limit) || limit < 1) {
    return sendJson(res, 400, { error: 'bad_request' })
  }
  sendJson(res, 200, films.search(text, limit))
})

router.get('/films/:id/reviews', (req, res) => {
  const film = films.byId.get(req.params.id)
  if (!film) return notFound(req, res)
  sendJson(res, 200, reviews.newest(film.id, settings.reviews))
})

router.post('/films/:id/reviews', json(), (req, res) => {
  const user = userOf(req)
  if (!user) return sendJson(res, 401, { error: 'unauthorised' })
  const film = films.byId.get(req.params.id)
  if (!film) return notFound(req, res)
  const { stars, text } = req.body ?? {}
  if (!Number.isInteger(stars) || stars < 1 || stars > 5 || typeof text !== 'string') {
    return sendJson(res, 400, { error: 'bad_request' })
  }
  sendJson(res, 201, reviews.add({ film: film.id, user: user.name, stars, text }))
})

router.get('/report', (req, res) => sendJson(res, 200, reviews.report()))

router.post('/login', json(), async (req, res) => {
  const { email, password } = req.body ?? {}
  if (typeof email !== 'string' || typeof password !== 'string') return sendJson(res, 400, { error: 'bad_request' })
  const token = await logIn(email, password)
  sendJson(res, token ? 200 : 401, token ? { token } : { error: 'bad_credentials' })
})

router.use(notFound)
router.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  if (error.service) return sendJson(res, 502, { error: 'upstream_failed', service: error.service })
  sendJson(res, error.status ?? 500, { error: error.status < 500 ? 'bad_request' : 'internal_error' })
})

const server = http.createServer((req, res) => {
  logRequest(req, res)
  router(req, res, finalhandler(req, res))
}).listen(Number(PORT), HOST)

process.on('SIGTERM', () => {
  // First the requests in flight, then their lines.
  server.close(() => closeLog(() => process.exit()))
  setTimeout(() => server.closeAllConnections(), 200).unref()
})

function notFound (req, res) {
  sendJson(res, 404, { error: 'not_found' })
}

function sendJson (res, status, value) {
  send(res, status, JSON.stringify(value))
}

function send (res, status, body) {
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body)
  }).end(body)
}
