import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import restify from 'restify'
import { openLogin } from './login.js'
import { readPicture } from './pictures.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const [config, users] = ['config.json', 'users.json']
  .map((name) => JSON.parse(readFileSync(join(DATA_DIR, name), 'utf8')))
const logIn = openLogin(config, users)

const server = restify.createServer({ name: 'avatars' })

server.post('/login', async (req, res) => {
  const body = await json(req).catch(() => undefined)
  const { status, value } = await logIn(body ?? {})
  answer(res, status, value)
})

server.get('/avatar/:id', async (req, res) => {
  const { id } = req.params
  const picture = /^[\w-]+$/.test(id) ? await readPicture(id) : undefined
  if (!picture) return answer(res, 404, { error: 'not_found' })
  const { bytes, etag, modified } = picture
  const headers = { ETag: etag, 'Last-Modified': modified, 'Cache-Control': 'public, max-age=0' }
  const current = isCurrent(req.headers, etag, modified)
  res.writeHead(current ? 304 : 200, current
    ? headers
    : { ...headers, 'Content-Type': 'image/png', 'Content-Length': bytes.length })
  res.end(current ? undefined : bytes)
})

// Also 'NotFound' and 'MethodNotAllowed', which come as this one, too.
server.on('restifyError', (req, res, { statusCode }) => {
  const known = statusCode < 500
  if (!res.headersSent) answer(res, known ? 404 : 500, { error: known ? 'not_found' : 'internal_error' })
})
server.listen(Number(PORT), HOST)

function isCurrent ({ 'if-none-match': tags, 'if-modified-since': since }, etag, modified) {
  if (tags) return tags === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  return since !== undefined && Date.parse(modified) <= Date.parse(since)
}

function answer (res, status, value) {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
  res.end(JSON.stringify(value))
}
