import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const catalogue = JSON.parse(readFileSync(join(DATA_DIR, 'movies.json'), 'utf8')).map(prepare)

const app = express()
app.disable('x-powered-by')
app.disable('etag')

app.get('/movies/search/genre/:genre/:limit', (req, res) => {
  const limit = Number(req.params.limit)
  if (!Number.isInteger(limit) || limit < 1) return res.status(400).json({ error: 'invalid_limit' })
  res.json(find(req.params.genre, limit).map(({ id, Title, Year, Genre }) => ({ id, Title, Year, Genre })))
})

app.post('/movies', express.json(), (req, res) => {
  const { Title, Genre } = req.body ?? {}
  if (!isText(Title) || !isText(Genre)) return res.status(400).json({ error: 'invalid_movie' })
  const movie = { ...req.body, id: catalogue.length + 1 }
  catalogue.push(prepare(movie))
  res.status(201).json(movie)
})

app.listen(Number(PORT), HOST)

function prepare (movie) {
  return { movie, genre: movie.Genre.toLowerCase() }
}

function find (text, limit) {
  const wanted = text.toLowerCase()
  const found = []
  for (const { genre, movie } of catalogue) {
    if (genre.includes(wanted)) found.push(movie)
    if (found.length === limit) break
  }
  return found
}

function isText (value) {
  return typeof value === 'string' && value !== ''
}
