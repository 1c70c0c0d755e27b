const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const express = require('express')

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const movies = JSON.parse(readFileSync(join(DATA_DIR, 'movies.json'), 'utf8'))

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
  const movie = { ...req.body, id: movies.length + 1 }
  movies.push(movie)
  res.status(201).json(movie)
})

app.listen(Number(PORT), HOST)

function find (text, limit) {
  const pattern = new RegExp(escape(text), 'i')
  const found = []
  for (const movie of movies) {
    if (pattern.test(movie.Genre) && found.push(movie) === limit) break
  }
  return found
}

function escape (text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function isText (value) {
  return typeof value === 'string' && value !== ''
}
