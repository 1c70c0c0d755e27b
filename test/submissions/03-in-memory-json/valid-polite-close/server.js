import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import fresh from 'fresh'
import Router from 'router'

const { PORT, HOST, DATA_DIR } = process.env
const movies = JSON.parse(readFileSync(path.join(DATA_DIR, 'movies.json'), 'utf8'))
const router = new Router({ strict: true, caseSensitive: true })
let list = prepare()

router.get('/movies', (req, res) => {
  if (fresh(req.headers, list.headers)) return res.writeHead(304, { etag: list.headers.etag }).end()
  res.writeHead(200, list.headers).end(list.body)
})

router.post('/movies', async (req, res) => {
  const sent = await json(req).catch(() => null)
  if (!sent?.Title) return send(res, 400, { error: 'invalid_movie' })
  const movie = { ...sent, id: movies.length + 1 }
  movies.push(movie)
  list = prepare()
  res.setHeader('location', `/movies/${movie.id}`)
  send(res, 201, movie)
})

router.get('/movies/:id', (req, res) => {
  const movie = movies[req.params.id - 1]
  send(res, movie ? 200 : 404, movie ?? { error: 'not_found' })
})

const server = http.createServer((req, res) => router(req, res, () => send(res, 404, { error: 'not_found' })))
// A connection is closed, with its last answer saying so, before a proxy in front would have to share it for long.
server.maxRequestsPerSocket = 100
server.listen(Number(PORT), HOST)

function prepare () {
  const body = Buffer.from(JSON.stringify(movies))
  const etag = `"${createHash('md5').update(body).digest('base64')}"`
  return { body, headers: { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length, etag } }
}

function send (res, status, value) {
  const body = Buffer.from(JSON.stringify(value))
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length }).end(body)
}
