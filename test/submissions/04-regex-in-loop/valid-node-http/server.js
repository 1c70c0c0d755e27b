import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const genres = []
const bodies = []
for (const movie of JSON.parse(readFileSync(join(DATA_DIR, 'movies.json'), 'utf8'))) keep(movie)

createServer(async (req, res) => {
  const [path] = req.url.split('?')
  const search = /^\/movies\/search\/genre\/([^/]+)\/([^/]+)\/?$/.exec(path)
  try {
    if (req.method === 'GET' && search) {
      return answer(res, ...find(decodeURIComponent(search[1]), decodeURIComponent(search[2])))
    }
    if (req.method === 'POST' && path === '/movies') return answer(res, ...add(await readBody(req)))
    answer(res, 404, '{"error":"not_found"}')
  } catch {
    answer(res, 400, '{"error":"bad_request"}')
  }
}).listen(Number(PORT), HOST)

function keep (movie) {
  genres.push(movie.Genre.toLowerCase())
  return bodies[bodies.push(JSON.stringify(movie)) - 1]
}

function find (text, limit) {
  if (!/^[1-9]\d*$/.test(limit)) return [400, '{"error":"invalid_limit"}']
  const wanted = text.toLowerCase()
  let body = ''
  for (let i = 0, left = Number(limit); i < genres.length && left > 0; i++) {
    if (!genres[i].includes(wanted)) continue
    body += body === '' ? bodies[i] : `,${bodies[i]}`
    left--
  }
  return [200, `[${body}]`]
}

function add (body) {
  const { Title, Genre } = body
  if (!isText(Title) || !isText(Genre)) return [400, '{"error":"invalid_movie"}']
  return [201, keep({ ...body, id: bodies.length + 1 })]
}

async function readBody (req) {
  const chunks = []
  for await (const chunk of req) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

function answer (res, status, body) {
  const bytes = Buffer.from(body)
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length })
  res.end(bytes)
}

function isText (value) {
  return typeof value === 'string' && value !== ''
}
