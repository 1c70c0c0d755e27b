import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

/** @type {{ genre: string, json: string }[]} */
const catalogue = JSON.parse(readFileSync(join(DATA_DIR, 'movies.json'), 'utf8')).map(prepare)

const app = express()
app.disable('x-powered-by')
app.disable('etag')

app.get('/movies/search/genre/:genre/:limit', (req, res) => {
  const limit = Number(req.params.limit)
  if (!Number.isInteger(limit) || limit < 1) {
    res.status(400).json({ error: 'invalid_limit' })
    return
  }
  res.type('json').send(`[${findByGenre(req.params.genre, limit).join(',')}]`)
})

app.post('/movies', express.json(), (req, res) => {
  const { Title, Genre } = req.body ?? {}
  if (!isText(Title) || !isText(Genre)) {
    res.status(400).json({ error: 'invalid_movie' })
    return
  }
  const entry = prepare({ ...req.body, id: catalogue.length + 1 })
  catalogue.push(entry)
  res.status(201).type('json').send(entry.json)
})

app.listen(Number(PORT), HOST)

/** What a search needs to know about a movie, computed once per movie instead of once per request. */
function prepare (movie) {
  return { genre: movie.Genre.toLowerCase(), json: JSON.stringify(movie) }
}

/** The JSON of the first `limit` movies whose genre contains `text`, in catalogue order. */
function findByGenre (text, limit) {
  const wanted = text.toLowerCase()
  const found = []
  for (const { genre, json } of catalogue) {
    if (!genre.includes(wanted)) continue
    found.push(json)
    if (found.length === limit) break
  }
  return found
}

function isText (value) {
  return typeof value === 'string' && value !== ''
}
