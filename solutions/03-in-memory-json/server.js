import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const movies = JSON.parse(readFileSync(path.join(DATA_DIR, 'movies.json'), 'utf8'))

/** @type {{ body: Buffer, etag: string } | undefined} the list as it goes over the wire, until the next write */
let rendered

function renderMovies () {
  const body = Buffer.from(JSON.stringify(movies))
  return { body, etag: `"${createHash('sha1').update(body).digest('base64url')}"` }
}

const app = express()
app.disable('x-powered-by')

app.get('/movies', (req, res) => {
  rendered ??= renderMovies()
  // With an ETag already set and a Buffer as the body, send() neither hashes nor copies, and still answers 304.
  res.set('ETag', rendered.etag).type('json').send(rendered.body)
})

app.post('/movies', express.json(), (req, res) => {
  if (!req.body?.Title) {
    return res.status(400).json({ error: 'invalid_movie' })
  }
  const movie = { ...req.body, id: movies.length + 1 }
  movies.push(movie)
  // Before the answer is sent: a client that has seen the 201 must find the film in the next list.
  rendered = undefined
  res.status(201).location(`/movies/${movie.id}`).json(movie)
})

app.get('/movies/:id', (req, res) => {
  const movie = movies[Number(req.params.id) - 1]
  if (!movie) {
    return res.status(404).json({ error: 'not_found' })
  }
  res.json(movie)
})

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  res.status(error.status ?? 500).json({ error: error.type ?? 'internal_error' })
})

app.listen(Number(PORT), HOST)
