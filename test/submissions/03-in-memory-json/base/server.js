import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const movies = JSON.parse(readFileSync(path.join(DATA_DIR, 'movies.json'), 'utf8'))
let rendered

function render () {
  const body = Buffer.from(JSON.stringify(movies))
  return { body, etag: `"${createHash('sha1').update(body).digest('base64url')}"` }
}

const app = express()

app.get('/movies', (req, res) => {
  rendered ??= render()
  res.set('ETag', rendered.etag).type('json').send(rendered.body)
})

app.post('/movies', express.json(), (req, res) => {
  if (!req.body?.Title) return res.status(400).json({ error: 'invalid_movie' })
  const movie = { ...req.body, id: movies.length + 1 }
  movies.push(movie)
  rendered = undefined
  res.status(201).location(`/movies/${movie.id}`).json(movie)
})

app.get('/movies/:id', (req, res) => {
  const movie = movies[Number(req.params.id) - 1]
  if (!movie) return res.status(404).json({ error: 'not_found' })
  res.json(movie)
})

app.listen(Number(PORT), HOST)
