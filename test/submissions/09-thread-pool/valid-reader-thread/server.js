import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import restify from 'restify'
import { openLogin } from './login.js'
import { readPicture } from './pictures.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const [config, users] = ['config.json', 'users.json'].map((name) => JSON.parse(readFileSync(join(DATA_DIR, name), 'utf8')))
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
  if (isCurrent(req.headers, etag, modified)) return res.writeHead(304, headers).end()
  res.writeHead(200, { ...headers, 'Content-Type': 'image/png', 'Content-Length': bytes.length }).end(bytes)
})

for (const name of ['NotFound', 'MethodNotAllowed']) server.on(name, (req, res) => answer(res, 404, { error: 'not_found' }))
server.on('restifyError', (req, res) => answer(res, 500, { error: 'internal_error' }))
server.listen(Number(PORT), HOST)

function isCurrent ({ 'if-none-match': tags, 'if-modified-since': since }, etag, modified) {
  if (tags) return tags === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  return since !== undefined && Date.parse(modified) <= Date.parse(since)
}

function answer (res, status, value) {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
  res.end(JSON.stringify(value))
}
