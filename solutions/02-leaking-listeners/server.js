import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import restify from 'restify'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = process.cwd() } = process.env

const { data } = JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8'))

const server = restify.createServer({ name: 'seed' })
const tags = new Map()

server.on('after', rememberAnswer)
server.use(etag)

server.get('/seed/v1', (req, res, next) => {
  res.send({ data, url: req.url, ts: Date.now() })
  next()
})

server.listen(Number(PORT), HOST)

/** Hands out the ETag of the URL, if an earlier answer left one. */
function etag (req, res, next) {
  const tag = tags.get(req.url)
  if (tag) res.setHeader('ETag', tag)
  res.setHeader('Cache-Control', 'public, max-age=120')
  next()
}

/** Keeps the ETag of what was answered for a URL: one listener for the life of the server. */
function rememberAnswer (req, res) {
  // Data and URL never change while the server runs, so a tag that is there is still right.
  if (res.statusCode !== 200 || tags.has(req.url)) return
  const { ts, ...content } = res._body
  tags.set(req.url, `W/"${sha512(JSON.stringify(content))}"`)
}

function sha512 (text) {
  return createHash('sha512').update(text).digest('hex')
}
