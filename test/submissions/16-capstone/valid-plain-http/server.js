import { pbkdf2, timingSafeEqual } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { text as textOf } from 'node:stream/consumers'
import { promisify } from 'node:util'
import jwt from 'jsonwebtoken'

const { PORT, HOST, DATA_DIR, UPSTREAM_URL } = process.env
const load = (name) => JSON.parse(fs.readFileSync(path.join(DATA_DIR, name), 'utf8'))

const films = load('films.json')
const { users, secret } = load('users.json')
const settings = load('settings.json')
const reviews = load('reviews.json')

const plain = Buffer.from(JSON.stringify(films))
const gzipped = gzipSync(plain)
const byId = new Map(films.map((film) => [String(film.id), film]))
const lower = films.map(({ Title, Actors }) => [Title.toLowerCase(), Actors.toLowerCase()])
const byFilm = new Map(films.map(({ id }) => [id, []]))
for (const review of reviews) byFilm.get(review.film).push(review)

const agent = new http.Agent({ keepAlive: true })
const log = fs.openSync(path.join(DATA_DIR, 'access.log'), 'a')
let lines = ''
const writeLines = () => {
  fs.writeSync(log, lines)
  lines = ''
}
setInterval(() => lines && writeLines(), 150)

class Refusal extends Error {
  constructor (status, body) {
    super(body.error)
    Object.assign(this, { status, body })
  }
}
const notFound = () => new Refusal(404, { error: 'not_found' })
const bad = () => new Refusal(400, { error: 'bad_request' })

const server = http.createServer(async (req, res) => {
  const startedAt = performance.now()
  res.on('close', () => {
    const { 'x-request-id': id } = req.headers
    lines += JSON.stringify({
      time: new Date().toISOString(),
      id,
      method: req.method,
      url: req.url,
      status: res.statusCode,
      durationMs: performance.now() - startedAt
    }) + '\n'
  })
  try {
    const { status = 200, json, body = JSON.stringify(json), headers } = await answer(req)
    send(res, status, body, headers)
  } catch (error) {
    send(res, error.status ?? 500, JSON.stringify(error.body ?? { error: 'internal_error' }))
  }
})

function send (res, status, body, headers) {
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...headers
  })
  res.end(body)
}

async function answer (req) {
  const url = new URL(req.url, 'http://shop')
  const route = `${req.method} ${url.pathname}`
  if (route === 'GET /healthz') return { json: { status: 'ok' } }
  if (route === 'GET /films') {
    const accepts = /\bgzip\b/.test(req.headers['accept-encoding'] ?? '')
    return {
      body: accepts ? gzipped : plain,
      headers: { Vary: 'Accept-Encoding', ...accepts && { 'Content-Encoding': 'gzip' } }
    }
  }
  if (route === 'GET /search') return { json: search(url.searchParams) }
  if (route === 'GET /report') return { json: report() }
  if (route === 'POST /login') return { json: await logIn(await bodyOf(req)) }
  const [, method, id, more] = /^(GET|POST) \/films\/([^/]+)(\/reviews)?$/.exec(route) ?? []
  if (method === 'GET') {
    const film = byId.get(id)
    if (!film) throw notFound()
    if (more) return { json: byFilm.get(film.id).slice(-settings.reviews).reverse() }
    const [{ price }, { stock }] = await Promise.all([ask('prices', film.id), ask('stock', film.id)])
    return { json: { ...film, price, stock }, headers: { 'Cache-Control': 'no-store' } }
  }
  if (method === 'POST' && more) return { status: 201, json: review(userOf(req), id, await bodyOf(req)) }
  throw notFound()
}

function search (query) {
  const texts = query.getAll('text')
  const limit = Number(query.get('limit') ?? settings.limit)
  if (texts.length !== 1 || texts[0] === '' || !Number.isInteger(limit) || limit < 1) throw bad()
  const wanted = texts[0].toLowerCase()
  const found = []
  for (let at = 0; at < films.length && found.length < limit; at++) {
    if (!lower[at].some((text) => text.includes(wanted))) continue
    const { id, Title, Year } = films[at]
    found.push({ id, Title, Year })
  }
  return found
}

/** One pass over the films and their reviews. */
function report () {
  const genres = new Map()
  for (const { id, Genre } of films) {
    for (const genre of Genre.split(', ')) {
      if (!genres.has(genre)) genres.set(genre, { count: 0, sum: 0, people: new Set() })
      const row = genres.get(genre)
      for (const { user, stars } of byFilm.get(id)) {
        row.count++
        row.sum += stars
        row.people.add(user)
      }
    }
  }
  return [...genres].sort(([a], [b]) => a < b ? -1 : 1).map(([genre, { count, sum, people }]) =>
    ({ genre, reviews: count, people: people.size, stars: count === 0 ? 0 : Math.round(sum / count * 100) / 100 }))
}

function userOf ({ headers: { authorization = '' } }) {
  try {
    return jwt.verify(/^Bearer (\S+)$/.exec(authorization)?.[1], secret, { algorithms: ['HS256'] })
  } catch {}
}

function review (user, id, { stars, text } = {}) {
  if (!user) throw new Refusal(401, { error: 'unauthorised' })
  const film = byId.get(id)
  if (!film) throw notFound()
  if (!Number.isInteger(stars) || stars < 1 || stars > 5 || typeof text !== 'string') throw bad()
  const added = { id: reviews.length + 1, film: film.id, user: user.name, stars, text }
  reviews.push(added)
  byFilm.get(film.id).push(added)
  return added
}

async function logIn ({ email, password } = {}) {
  if (typeof email !== 'string' || typeof password !== 'string') throw bad()
  const user = users.find((user) => user.email === email)
  const hash = user &&
    await promisify(pbkdf2)(password, Buffer.from(user.salt, 'hex'), user.iterations, 512, user.digest)
  if (!user || !timingSafeEqual(hash, Buffer.from(user.hash, 'hex'))) {
    throw new Refusal(401, { error: 'bad_credentials' })
  }
  return {
    token: jwt.sign({ name: `${user.firstName} ${user.lastName}` }, secret, { subject: user.id, expiresIn: '1h' })
  }
}

async function bodyOf (req) {
  const text = await textOf(req)
  if (!/json/i.test(req.headers['content-type'] ?? '')) return {}
  try {
    return JSON.parse(text)
  } catch {
    throw bad()
  }
}

function ask (service, film) {
  const failed = new Refusal(502, { error: 'upstream_failed', service })
  return new Promise((resolve, reject) => {
    http.get(`${UPSTREAM_URL}/${service}/${film}`, { agent }, async (res) => {
      const text = await textOf(res).catch(() => '')
      if (res.statusCode === 200 && res.complete) resolve(JSON.parse(text))
      else reject(failed)
    }).on('error', () => reject(failed))
  })
}

server.listen(Number(PORT), HOST)

process.on('SIGTERM', () => {
  server.close(() => {
    writeLines()
    process.exit()
  })
  setTimeout(() => server.closeAllConnections(), 200).unref()
})
