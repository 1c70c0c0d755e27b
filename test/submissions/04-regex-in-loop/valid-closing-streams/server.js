import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const movies = JSON.parse(readFileSync(join(DATA_DIR, 'movies.json'), 'utf8'))
const genres = movies.map(({ Genre }) => Genre.toLowerCase())

const type = { 'content-type': 'Application/JSON' }

/** Answers without a length, movie by movie. A client that has written, or made an error, is asked to come again. */
createServer(async (req, res) => {
  const [, first, ...rest] = req.url.split('/')
  const search = first === 'movies' && rest[0] === 'search' && rest[1] === 'genre' && rest.length === 4
  if (req.method === 'GET' && search) return find(res, decodeURIComponent(rest[2]).toLowerCase(), Number(rest[3]))
  if (req.method !== 'POST' || req.url !== '/movies') return close(res, 404, { error: 'not_found' })
  const { Title, Genre, ...others } = JSON.parse(await text(req))
  if (![Title, Genre].every((value) => typeof value === 'string' && value !== '')) {
    return close(res, 400, { error: 'invalid_movie' })
  }
  const movie = { ...others, Title, Genre, id: movies.length + 1 }
  genres.push(Genre.toLowerCase())
  movies.push(movie)
  close(res, 201, movie)
}).listen(Number(PORT), HOST)

function find (res, wanted, limit) {
  if (!Number.isInteger(limit) || limit < 1) return close(res, 400, { error: 'invalid_limit' })
  res.writeHead(200, type)
  res.cork()
  res.write('[')
  let sent = 0
  for (let at = 0; at < movies.length && sent < limit; at++) {
    if (genres[at].includes(wanted)) res.write(`${sent++ > 0 ? ',\n' : ''}${JSON.stringify(movies[at])}`)
  }
  res.end(']\n')
}

function close (res, status, value) {
  res.writeHead(status, { ...type, connection: 'close' }).end(JSON.stringify(value, null, 2))
}
