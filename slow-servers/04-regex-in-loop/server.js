import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const movies = JSON.parse(readFileSync(join(DATA_DIR, 'movies.json'), 'utf8'))

const app = express()
app.disable('x-powered-by')
app.disable('etag')

app.get('/movies/search/genre/:genre/:limit', (req, res) => {
  const limit = Number(req.params.limit)
  if (!Number.isInteger(limit) || limit < 1) {
    res.status(400).json({ error: 'invalid_limit' })
    return
  }
  res.json(findByGenre(req.params.genre).slice(0, limit))
})

app.post('/movies', express.json(), (req, res) => {
  const { Title, Genre } = req.body ?? {}
  if (!isText(Title) || !isText(Genre)) {
    res.status(400).json({ error: 'invalid_movie' })
    return
  }
  const movie = { ...req.body, id: movies.length + 1 }
  movies.push(movie)
  res.status(201).json(movie)
})

app.listen(Number(PORT), HOST)

function findByGenre (genre) {
  return allMovies().filter((movie) => new RegExp(genre, 'i').test(movie.Genre.toLowerCase()))
}

// Callers get copies, so that none of them can change the catalogue.
function allMovies () {
  return JSON.parse(JSON.stringify(movies))
}

function isText (value) {
  return typeof value === 'string' && value !== ''
}
