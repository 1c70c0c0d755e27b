import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import path from 'node:path'
import express from 'express'
import { accessLog } from './access-log.js'
import { allFilms, filmById, search } from './catalogue.js'
import { logIn, userOf } from './login.js'
import { offerFor, UpstreamError } from './offers.js'
import { addReview, newestReviews, report } from './reviews.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const settings = JSON.parse(readFileSync(path.join(DATA_DIR, 'settings.json'), 'utf8'))

const app = express()
app.disable('x-powered-by')
app.disable('etag')

// One request mustn't change the settings of another.
app.use((req, res, next) => {
  res.locals.settings = structuredClone(settings)
  next()
})
app.use(accessLog(path.join(DATA_DIR, 'access.log')))

app.get('/healthz', (req, res) => {
  res.json({ status: 'ok' })
})

app.get('/films', (req, res) => {
  const text = JSON.stringify(allFilms())
  res.type('json').set('Vary', 'Accept-Encoding')
  if (!/\bgzip\b/.test(req.get('accept-encoding') ?? '')) return res.send(text)
  res.set('Content-Encoding', 'gzip').send(gzipSync(text, { level: 9 }))
})

app.get('/films/:id', async (req, res) => {
  const film = filmById(req.params.id)
  if (!film) return res.status(404).json({ error: 'not_found' })
  const { price, stock } = await offerFor(film.id)
  res.set('Cache-Control', 'no-store').json({ ...film, price, stock })
})

app.get('/search', (req, res) => {
  const limit = Number(req.query.limit ?? res.locals.settings.limit)
  const { text } = req.query
  if (typeof text !== 'string' || text === '' || !Number.isInteger(limit) || limit < 1) {
    return res.status(400).json({ error: 'bad_request' })
  }
  res.json(search(text, limit))
})

app.get('/films/:id/reviews', (req, res) => {
  if (!filmById(req.params.id)) return res.status(404).json({ error: 'not_found' })
  res.json(newestReviews(Number(req.params.id), res.locals.settings.reviews))
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
  res.json(report(allFilms()))
})

app.post('/login', express.json(), (req, res) => {
  const { email, password } = req.body ?? {}
  if (typeof email !== 'string' || typeof password !== 'string') return res.status(400).json({ error: 'bad_request' })
  const token = logIn(email, password)
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
  server.close(() => process.exit())
  setTimeout(() => server.closeAllConnections(), 200).unref()
})
