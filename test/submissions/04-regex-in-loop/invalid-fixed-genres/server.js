import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const catalogue = JSON.parse(readFileSync(join(DATA_DIR, 'movies.json'), 'utf8')).map(prepare)

/** Every part of every genre that the catalogue has, found once. */
const prepared = new Map()
for (const genre of new Set(catalogue.flatMap(({ genre }) => partsOf(genre)))) {
  prepared.set(genre, catalogue.filter((entry) => entry.genre.includes(genre)))
}

const app = express()
app.disable('x-powered-by')
app.disable('etag')

app.get('/movies/search/genre/:genre/:limit', (req, res) => {
  const limit = Number(req.params.limit)
  if (!Number.isInteger(limit) || limit < 1) return res.status(400).json({ error: 'invalid_limit' })
  res.json(find(req.params.genre, limit))
})

app.post('/movies', express.json(), (req, res) => {
  const { Title, Genre } = req.body ?? {}
  if (!isText(Title) || !isText(Genre)) return res.status(400).json({ error: 'invalid_movie' })
  const movie = { ...req.body, id: catalogue.length + 1 }
  const entry = prepare(movie)
  catalogue.push(entry)
  for (const part of new Set(partsOf(entry.genre))) prepared.get(part)?.push(entry)
  res.status(201).json(movie)
})

app.listen(Number(PORT), HOST)

function prepare (movie) {
  return { movie, genre: movie.Genre.toLowerCase() }
}

function find (text, limit) {
  return (prepared.get(text.toLowerCase()) ?? []).slice(0, limit).map(({ movie }) => movie)
}

function partsOf (genre) {
  const parts = []
  for (let from = 0; from < genre.length; from++) {
    for (let to = from + 1; to <= genre.length; to++) parts.push(genre.slice(from, to))
  }
  return parts
}

function isText (value) {
  return typeof value === 'string' && value !== ''
}
