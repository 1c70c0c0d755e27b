import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const type = 'application/json; charset=utf-8'
const movies = JSON.parse(readFileSync(path.join(DATA_DIR, 'movies.json'), 'utf8'))
let rendered = render()

createServer((req, res) => {
  const [pathname] = req.url.split('?')
  if (pathname === '/movies') {
    if (req.method === 'POST') return addMovie(req, res)
    return sendList(req, res)
  }
  const [, id] = /^\/movies\/([^/]+)$/.exec(pathname) ?? []
  const movie = movies[Number(id) - 1]
  if (movie) return sendJson(res, 200, movie)
  sendJson(res, 404, { error: 'not_found' })
}).listen(Number(PORT), HOST)

function render () {
  const body = Buffer.from(JSON.stringify(movies))
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`
  return { body, etag, headers: { 'Content-Type': type, 'Content-Length': body.length, ETag: etag } }
}

function sendList (req, res) {
  const { body, etag, headers } = rendered
  if (isCurrent(req.headers['if-none-match'], etag)) {
    res.writeHead(304, { ETag: etag }).end()
    return
  }
  res.writeHead(200, headers).end(body)
}

function isCurrent (condition, etag) {
  if (condition === undefined) return false
  if (condition.trim() === '*') return true
  return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

async function addMovie (req, res) {
  let movie
  try {
    const chunks = []
    for await (const chunk of req) chunks.push(chunk)
    movie = JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return sendJson(res, 400, { error: 'invalid_json' })
  }
  if (!movie?.Title) return sendJson(res, 400, { error: 'invalid_movie' })
  movie = { ...movie, id: movies.length + 1 }
  movies.push(movie)
  rendered = render()
  sendJson(res, 201, movie, { Location: `/movies/${movie.id}` })
}

function sendJson (res, status, value, headers = {}) {
  const body = Buffer.from(JSON.stringify(value))
  res.writeHead(status, { 'Content-Type': type, 'Content-Length': body.length, ...headers }).end(body)
}
