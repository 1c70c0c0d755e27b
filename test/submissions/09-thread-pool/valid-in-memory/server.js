import { pbkdf2, timingSafeEqual } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import jwt from 'jsonwebtoken'

const { PORT, HOST, DATA_DIR } = process.env
const [config, users] = ['config.json', 'users.json']
  .map((name) => JSON.parse(readFileSync(join(DATA_DIR, name), 'utf8')))
const pictures = new Map()

http.createServer((req, res) => {
  const [, id] = /^\/avatar\/([\w-]+)$/.exec(req.url) ?? []
  if (id) return sendAvatar(req, res, id)
  if (req.url === '/login' && req.method === 'POST') {
    return logIn(req, res).catch(() => sendJson(res, 500, { error: 'internal_error' }))
  }
  sendJson(res, 404, { error: 'not_found' })
}).listen(PORT, HOST)

function sendAvatar (req, res, id) {
  const file = join(DATA_DIR, `${id}.png`)
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) {
    pictures.delete(id)
    return sendJson(res, 404, { error: 'not_found' })
  }
  const etag = `"${stats.ino.toString(36)}-${stats.size.toString(36)}-${stats.mtimeMs.toString(36)}"`
  if (pictures.get(id)?.etag !== etag) pictures.set(id, { etag, bytes: readFileSync(file) })
  const headers = { ETag: etag, 'Last-Modified': stats.mtime.toUTCString(), 'Cache-Control': 'public, max-age=0' }
  if (isCurrent(req.headers, headers)) return res.writeHead(304, headers).end()
  const { bytes } = pictures.get(id)
  res.writeHead(200, { ...headers, 'Content-Type': 'image/png', 'Content-Length': bytes.length }).end(bytes)
}

function isCurrent ({ 'if-none-match': tags, 'if-modified-since': since }, { ETag: etag, 'Last-Modified': modified }) {
  if (tags) return tags === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  return since !== undefined && Date.parse(modified) <= Date.parse(since)
}

async function logIn (req, res) {
  const { email, password } = await json(req)
  const [missing] = Object.entries({ email, password })
    .find(([, value]) => typeof value !== 'string' || value === '') ?? []
  if (missing) return sendJson(res, 400, { error: 'missing_required_parameters', context: { body: [missing] } })
  const user = users.find((user) => user.email === email)
  const right = await isRight(user ?? users[0], password)
  if (!user || !right) return sendJson(res, 401, { error: 'bad_credentials', message: 'No.' })
  const { id, firstName, lastName } = user
  const expiresIn = config.tokenTtlSeconds
  const token = jwt.sign({}, config.secret, { subject: id, expiresIn })
  sendJson(res, 200, { token, expiresIn, user: { id, firstName, lastName, avatar: `/avatar/${id}` } })
}

function isRight ({ salt, hash, iterations, digest }, password) {
  const stored = Buffer.from(hash, 'hex')
  return new Promise((resolve, reject) => {
    pbkdf2(password, Buffer.from(salt, 'hex'), iterations, stored.length, digest, (error, derived) => {
      if (error) reject(error)
      else resolve(timingSafeEqual(derived, stored))
    })
  })
}

function sendJson (res, status, value) {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(value))
}
