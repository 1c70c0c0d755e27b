import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'
import { logRequests, openAccessLog } from './access-log.js'
import { catalogue, catalogueGzipped, filmById, search } from './catalogue.js'
import { logIn, userOf } from './login.js'
import { offerFor, UpstreamError } from './offers.js'
import { addReview, newestReviews, report } from './reviews.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const settings = Object.freeze(JSON.parse(readFileSync(path.join(DATA_DIR, 'settings.json'), 'utf8')))
const log = openAccessLog(path.join(DATA_DIR, 'access.log'))

const app = express()
app.disable('x-powered-by')
app.disable('etag')
app.use(logRequests(log))

app.get('/healthz', (req, res) => {
  res.json({ status: 'ok' })
})

app.get('/films', (req, res) => {
  res.type('json').set('Vary', 'Accept-Encoding')
  if (!/\bgzip\b/.test(req.get('accept-encoding') ?? '')) return res.send(catalogue)
  res.set('Content-Encoding', 'gzip').send(catalogueGzipped)
})

app.get('/films/:id', async (req, res) => {
  const film = filmById(req.params.id)
  if (!film) return res.status(404).json({ error: 'not_found' })
  const { price, stock } = await offerFor(film.id)
  res.set('Cache-Control', 'no-store').json({ ...film, price, stock })
})

app.get('/search', (req, res) => {
  const limit = Number(req.query.limit ?? settings.limit)
  const { text } = req.query
  if (typeof text !== 'string' || text === '' || !Number.isInteger(limit) || limit < 1) {
    return res.status(400).json({ error: 'bad_request' })
  }
  res.type('json').send(`[${search(text, limit).join()}]`)
})

app.get('/films/:id/reviews', (req, res) => {
  const film = filmById(req.params.id)
  if (!film) return res.status(404).json({ error: 'not_found' })
  res.json(newestReviews(film.id, settings.reviews))
})

app.post('/films/:id/reviews', express.json(), (req, res) => {
  const user = userOf(req)
  if (!user) return res.status(401).json({ error: 'unauthorised' })
  const film = filmById(req.params.id)
  if (!film) return res.status(404).json({ error: 'not_found' })
  const { stars, text } = req.body ?? {}
  if (!Number.isInteger(stars) || stars < 1 || stars > 5 || typeof text !== 'string') {
    return res.status(400).json({ error: 'bad_request' })
  }
  res.status(201).json(addReview({ film: film.id, user: user.name, stars, text }))
})

app.get('/report', (req, res) => {
  res.json(report())
})

app.post('/login', express.json(), async (req, res) => {
  const { email, password } = req.body ?? {}
  if (typeof email !== 'string' || typeof password !== 'string') return res.status(400).json({ error: 'bad_request' })
  const token = await logIn(email, password)
  if (!token) return res.status(401).json({ error: 'bad_credentials' })
  res.json({ token })
})

app.use((req, res) => {
  res.status(404).json({ error: 'not_found' })
})

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  if (error instanceof UpstreamError) return res.status(502).json({ error: 'upstream_failed', service: error.service })
  res.status(error.status ?? 500).json({ error: error.status < 500 ? 'bad_request' : 'internal_error' })
})

const server = app.listen(Number(PORT), HOST)

process.on('SIGTERM', () => {
  // First the requests in flight, then their lines.
  server.close(() => log.close(() => process.exit()))
  setTimeout(() => server.closeAllConnections(), 200).unref()
})
