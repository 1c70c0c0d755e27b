import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const movies = JSON.parse(readFileSync(join(DATA_DIR, 'movies.json'), 'utf8'))

/** Lower-case text to everything found for it; bounded, because clients choose the texts. */
const found = new Map()
const most = 1000
/** Lower-case genre to the positions of its movies; undefined when a write has made it old. */
let index

const app = express()
app.disable('x-powered-by')
app.disable('etag')

app.get('/movies/search/genre/:genre/:limit', (req, res) => {
  const limit = Number(req.params.limit)
  if (!Number.isInteger(limit) || limit < 1) return res.status(400).json({ error: 'invalid_limit' })
  res.json(find(req.params.genre.toLowerCase()).slice(0, limit).map((position) => movies[position]))
})

app.post('/movies', express.json(), (req, res) => {
  const { Title, Genre } = req.body ?? {}
  if (!isText(Title) || !isText(Genre)) return res.status(400).json({ error: 'invalid_movie' })
  const movie = { ...req.body, id: movies.length + 1 }
  movies.push(movie)
  index = undefined
  found.clear()
  res.status(201).json(movie)
})

app.listen(Number(PORT), HOST)

function find (text) {
  const known = found.get(text)
  if (known) return known
  index ??= group()
  const positions = []
  for (const [genre, those] of index) {
    if (genre.includes(text)) positions.push(...those)
  }
  positions.sort((a, b) => a - b)
  if (found.size >= most) found.clear()
  found.set(text, positions)
  return positions
}

function group () {
  const groups = new Map()
  movies.forEach(({ Genre }, position) => {
    const genre = Genre.toLowerCase()
    if (groups.has(genre)) groups.get(genre).push(position)
    else groups.set(genre, [position])
  })
  return groups
}

function isText (value) {
  return typeof value === 'string' && value !== ''
}
