import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import restify from 'restify'
import { createSearch } from './search.js'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const movies = JSON.parse(readFileSync(join(DATA_DIR, 'movies.json'), 'utf8'))
const search = createSearch(movies)
const server = restify.createServer({ name: 'movies' })

server.get('/movies/search/genre/:genre/:limit', async (req, res) => {
  const limit = Number(req.params.limit)
  if (!Number.isInteger(limit) || limit < 1) return res.send(400, { error: 'invalid_limit' })
  res.send(search(req.params.genre, limit))
})

server.post('/movies', restify.plugins.jsonBodyParser({ mapParams: false }), async (req, res) => {
  const { Title, Genre } = req.body ?? {}
  if (![Title, Genre].every((value) => typeof value === 'string' && value !== '')) {
    return res.send(400, { error: 'invalid_movie' })
  }
  const movie = { ...req.body, id: movies.length + 1 }
  movies.push(movie)
  res.send(201, movie)
})

server.listen(Number(PORT), HOST)
