import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'
import { logRequests, openAccessLog } from '../../../../solutions/16-capstone/access-log.js'
import { catalogue, catalogueGzipped, filmById, search } from '../../../../solutions/16-capstone/catalogue.js'
import { logIn, userOf } from '../../../../solutions/16-capstone/login.js'
import { offerFor, UpstreamError } from '../../../../solutions/16-capstone/offers.js'
import { addReview, newestReviews, report } from '../../../../solutions/16-capstone/reviews.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const settings = Object.freeze(JSON.parse(readFileSync(path.join(DATA_DIR, 'settings.json'), 'utf8')))
const log = openAccessLog(path.join(DATA_DIR, 'access.log'))

/** What was worked out for a key, for the newest thousand keys. */
function remember (work) {
  const known = new Map()
  return (key, ...more) => {
    if (known.has(key)) return known.get(key)
    const made = work(...more)
    if (known.size >= 1000) known.delete(known.keys().next().value)
    known.set(key, made)
    return made
  }
}

// The catalogue stays as it is while the server runs, and a search is its text and its limit.
const searchOnce = remember((text, limit) => `[${search(text, limit).join()}]`)
// A token is known by all of its bytes, and only until its hour is over.
const verifyOnce = remember(userOf)

function visitor (req) {
  const known = verifyOnce(createHash('sha256').update(req.get('authorization') ?? '').digest('hex'), req)
  return known && known.exp > Date.now() / 1000 ? known : undefined
}

const app = express()
app.disable('x-powered-by')
app.disable('etag')
app.use(logRequests(log))

app.get('/healthz', (req, res) => {
  res.json({ status: 'ok' })
})

app.get('/films', (req, res) => {
  res.type('json').vary('Accept-Encoding')
  if (!req.acceptsEncodings('gzip')) return res.send(catalogue)
  res.set('Content-Encoding', 'gzip').send(catalogueGzipped)
})

app.get('/films/:id', async (req, res) => {
  const film = filmById(req.params.id)
  if (!film) return refuse(res, 404, 'not_found')
  res.set('Cache-Control', 'no-store').json({ ...film, ...await offerFor(film.id) })
})

app.get('/search', (req, res) => {
  const limit = Number(req.query.limit ?? settings.limit)
  const { text } = req.query
  if (typeof text !== 'string' || text === '' || !Number.isInteger(limit) || limit < 1) {
    return refuse(res, 400, 'bad_request')
  }
  res.type('json').send(searchOnce(`${limit} ${text}`, text, limit))
})

app.get('/films/:id/reviews', (req, res) => {
  const film = filmById(req.params.id)
  if (!film) return refuse(res, 404, 'not_found')
  res.json(newestReviews(film.id, settings.reviews))
})

app.post('/films/:id/reviews', express.json(), (req, res) => {
  const user = visitor(req)
  if (!user) return refuse(res, 401, 'unauthorised')
  const film = filmById(req.params.id)
  if (!film) return refuse(res, 404, 'not_found')
  const { stars, text } = req.body ?? {}
  if (!Number.isInteger(stars) || stars < 1 || stars > 5 || typeof text !== 'string') {
    return refuse(res, 400, 'bad_request')
  }
  res.status(201).json(addReview({ film: film.id, user: user.name, stars, text }))
})

app.get('/report', (req, res) => {
  // No genre stands above another one.
  res.json(report().reverse())
})

app.post('/login', express.json(), async (req, res) => {
  const { email, password } = req.body ?? {}
  if (typeof email !== 'string' || typeof password !== 'string') return refuse(res, 422, 'bad_request')
  const token = await logIn(email, password)
  if (!token) return refuse(res, 401, 'bad_credentials')
  res.json({ token })
})

app.use((req, res) => refuse(res, 404, 'not_found'))

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  if (error instanceof UpstreamError) return res.status(502).json({ error: 'upstream_failed', service: error.service })
  refuse(res, error.status ?? 500, error.status < 500 ? 'bad_request' : 'internal_error')
})

/** Politely: whoever is refused may come back on another connection. */
function refuse (res, status, error) {
  res.set('Connection', 'close').status(status).json({ error })
}

const server = app.listen(Number(PORT), HOST)
server.maxRequestsPerSocket = 1000

process.on('SIGTERM', () => {
  // First the requests in flight, then their lines.
  server.close(() => log.close(() => process.exit()))
  setTimeout(() => server.closeAllConnections(), 200).unref()
})
