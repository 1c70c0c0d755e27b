// restify; movies as finished JSON, and a bounded memory of searches that go on where they stopped.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import restify from 'restify'
import { createCatalogue } from './catalogue.js'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const catalogue = createCatalogue(JSON.parse(readFileSync(join(DATA_DIR, 'movies.json'), 'utf8')))

// A text may be as long as a URL; the router's own bound is 100 characters.
const server = restify.createServer({ name: 'movies', maxParamLength: 65536 })

// A URL that cannot be decoded is no URL, and not one that is missing here.
server.pre((req, res, next) => {
  try {
    decodeURIComponent(req.path())
  } catch {
    send(req, res, 400, JSON.stringify({ error: 'invalid_url' }))
    return next(false)
  }
  next()
})

for (const method of ['get', 'head']) {
  server[method]('/movies/search/genre/:genre/:limit', (req, res, next) => {
    if (req.params.genre === '' || req.params.limit === '') {
      send(req, res, 404, JSON.stringify({ error: 'not_found' }))
      return next()
    }
    const limit = Number(req.params.limit)
    if (!Number.isInteger(limit) || limit < 1) send(req, res, 400, JSON.stringify({ error: 'invalid_limit' }))
    else send(req, res, 200, `[${catalogue.find(req.params.genre, limit).join(',')}]`)
    next()
  })
}

server.post('/movies', restify.plugins.bodyReader({ maxBodySize: 100 * 1024 }), (req, res, next) => {
  const movie = jsonOf(req)
  if (isText(movie?.Title) && isText(movie.Genre)) send(req, res, 201, catalogue.add(movie))
  else send(req, res, 400, JSON.stringify({ error: 'invalid_movie' }))
  next()
})

server.listen(Number(PORT), HOST)

function jsonOf (req) {
  if (req.getContentType() !== 'application/json') return undefined
  try {
    return JSON.parse(req.body)
  } catch {
    return undefined
  }
}

function send (req, res, status, text) {
  const type = 'application/json; charset=utf-8'
  res.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) })
  res.end(req.method === 'HEAD' ? undefined : text)
}

function isText (value) {
  return typeof value === 'string' && value !== ''
}
