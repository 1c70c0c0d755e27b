import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

// Reading a file for every request would be slow: the catalogue lives in memory.
const movies = JSON.parse(readFileSync(path.join(DATA_DIR, 'movies.json'), 'utf8'))

const app = express()
app.disable('x-powered-by')
app.use(express.json())

app.get('/movies', (req, res) => {
  res.json(movies)
})

app.post('/movies', (req, res) => {
  if (!req.body?.Title) {
    return res.status(400).json({ error: 'invalid_movie' })
  }
  const movie = { ...req.body, id: movies.length + 1 }
  movies.push(movie)
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
