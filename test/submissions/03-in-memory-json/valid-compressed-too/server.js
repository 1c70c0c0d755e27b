// Plain node:http; list and hash grow with each film, and there is a compressed form with a tag of its own.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { BodyError, readJson } from './read-json.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const zip = promisify(gzip)
const json = 'application/json; charset=utf-8'

// Each film as it goes over the wire; film n has the place n - 1.
const films = JSON.parse(readFileSync(path.join(DATA_DIR, 'movies.json'), 'utf8')).map(toBytes)
// The hash of the list without its last bracket: a new film is added to it, the rest is not read again.
const running = createHash('sha256').update('[')
let list = openList()

const server = createServer(async (req, res) => {
  try {
    await route(req, res)
  } catch (error) {
    if (res.headersSent) return res.destroy()
    if (error instanceof BodyError) return send(res, error.status, toBytes({ error: error.type }))
    console.error(error)
    send(res, 500, toBytes({ error: 'internal_error' }))
  }
})
server.listen(Number(PORT), HOST)

async function route (req, res) {
  const pathname = req.url.split('?')[0].replace(/(?<=.)\/$/, '')
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  if (pathname === '/movies' && isRead) return await sendList(req, res)
  if (pathname === '/movies' && req.method === 'POST') return await addFilm(req, res)
  const id = /^\/movies\/([^/]+)$/.exec(pathname)?.[1]
  const film = id !== undefined && isRead ? films[Number(decode(id)) - 1] : undefined
  if (film === undefined) return send(res, 404, toBytes({ error: 'not_found' }))
  send(res, 200, film)
}

async function sendList (req, res) {
  // A film that comes while we wait makes another list: this one stays whole, with its own tag.
  const current = list
  const isZipped = acceptsGzip(req.headers['accept-encoding'])
  const etag = isZipped ? current.zippedEtag : current.etag
  const headers = { ETag: etag, Vary: 'Accept-Encoding' }
  if (isCurrent(req.headers, etag)) {
    res.writeHead(304, headers)
    return res.end()
  }
  if (!isZipped) return send(res, 200, current.bytes, headers)
  // Made when the first client asks for it, for all of them.
  current.zipped ??= zip(current.bytes)
  send(res, 200, await current.zipped, { ...headers, 'Content-Encoding': 'gzip' })
}

async function addFilm (req, res) {
  const body = await readJson(req)
  if (!body?.Title) return send(res, 400, toBytes({ error: 'invalid_movie' }))
  // From here to the answer nothing waits: no other request can come between.
  const id = films.length + 1
  const film = toBytes({ ...body, id })
  films.push(film)
  list = appendTo(list, film)
  send(res, 201, film, { Location: `/movies/${id}` })
}

function openList () {
  const content = Buffer.from(films.join(','))
  running.update(content)
  return listOf(Buffer.concat([Buffer.from('['), content, Buffer.from(']')]))
}

/** The old bytes are copied, never changed: answers that hold them are still under way. */
function appendTo ({ bytes }, film) {
  const added = films.length > 1 ? Buffer.concat([Buffer.from(','), film]) : film
  running.update(added)
  return listOf(Buffer.concat([bytes.subarray(0, -1), added, Buffer.from(']')]))
}

function listOf (bytes) {
  const hash = running.copy().digest('base64url')
  return { bytes, etag: `"${hash}"`, zippedEtag: `"${hash}-gzip"`, zipped: null }
}

function acceptsGzip (header = '') {
  const weights = new Map(header.toLowerCase().split(',').map((part) => {
    const [name, ...parameters] = part.split(';').map((piece) => piece.trim())
    return [name, Number(parameters.find((piece) => piece.startsWith('q='))?.slice(2) ?? 1)]
  }))
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? 0) > 0
}

function send (res, status, bytes, headers) {
  res.writeHead(status, { 'Content-Type': json, 'Content-Length': bytes.length, ...headers })
  res.end(bytes)
}

function toBytes (value) {
  return Buffer.from(JSON.stringify(value))
}

function decode (text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Is one of the client's tags the current one? Compared weakly, as If-None-Match asks for. */
function isCurrent (headers, etag) {
  const known = headers['if-none-match']
  if (known === undefined || /(^|,)\s*no-cache\s*(,|$)/i.test(headers['cache-control'] ?? '')) return false
  if (known.trim() === '*') return true
  return [...known.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, tag]) => tag === etag)
}
