import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const movies = JSON.parse(readFileSync(join(DATA_DIR, 'movies.json'), 'utf8'))

/**
 * All genres in lower case, one after the other, each ended by a character that no search holds; and where each starts.
 */
const end = '\uffff'
const starts = []
let genres = ''
movies.forEach(append)

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
  append(movie)
  res.status(201).json(movie)
})

app.listen(Number(PORT), HOST)

function append (movie) {
  starts.push(genres.length)
  genres += movie.Genre.toLowerCase().replaceAll(end, '') + end
}

function find (text, limit) {
  const wanted = text.toLowerCase()
  const found = []
  if (wanted.includes(end)) return found
  let number = 0
  for (let at = genres.indexOf(wanted); at >= 0 && found.length < limit; at = genres.indexOf(wanted, starts[number])) {
    while (number < starts.length && starts[number] <= at) number++
    found.push(movies[number - 1])
    if (number === starts.length) break
  }
  return found
}

function isText (value) {
  return typeof value === 'string' && value !== ''
}
