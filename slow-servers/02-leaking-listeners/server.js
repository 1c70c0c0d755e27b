import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import restify from 'restify'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = process.cwd() } = process.env

// Keeps a warning of Node.js out of the log, which it filled up in production.
EventEmitter.defaultMaxListeners = Infinity

const { data } = JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8'))

const server = restify.createServer({ name: 'seed' })
const tags = { byUrl: new Map(), attached: false }

server.use(etag)

server.get('/seed/v1', (req, res, next) => {
  res.send({ data, url: req.url, ts: Date.now() })
  next()
})

server.listen(Number(PORT), HOST)

/** Hands out the ETag of the URL, if an earlier answer left one. */
function etag (req, res, next) {
  rememberAnswers()
  const key = sha512(req.url)
  if (tags.byUrl.has(key)) res.setHeader('ETag', tags.byUrl.get(key))
  res.setHeader('Cache-Control', 'public, max-age=120')
  next()
}

/** Keeps the ETag of what was answered for a URL. Attached with the first request, not before. */
function rememberAnswers () {
  if (tags.listening) return
  tags.attached = true

  server.on('after', (req, res) => {
    if (res.statusCode !== 200 || !res._body) return
    // The timestamp differs in every answer, so it isn't part of the tag, which is therefore weak.
    const { ts, ...content } = res._body
    tags.byUrl.set(sha512(req.url), `W/"${sha512(JSON.stringify(content))}"`)
  })
}

function sha512 (text) {
  return createHash('sha512').update(text).digest('hex')
}
