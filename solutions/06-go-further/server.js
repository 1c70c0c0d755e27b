import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import restify from 'restify'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = process.cwd() } = process.env

let current = prepare(JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8')).data)

const server = restify.createServer({ name: 'seed' })

server.get('/seed/v1', describe, ...restify.plugins.conditionalRequest(), (req, res, next) => {
  const body = Buffer.from(`{"data":${req.content.json},"url":${JSON.stringify(req.url)}}`)
  // One write for head and body; restify's own send() needs two, and makes the text again.
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
  res.end(body)
  next()
})

server.put('/seed/v1', ...restify.plugins.jsonBodyParser(), (req, res, next) => {
  if (!isObject(req.body) || !isObject(req.body.data)) {
    res.send(400, { code: 'InvalidContent', message: '`data` has to be an object' })
    return next()
  }
  // Before the 204 is sent: a client that has seen it must get the new content from its next read.
  current = prepare(req.body.data)
  res.send(204)
  next()
})

server.listen(Number(PORT), HOST)

/** All that depends on the data alone, made once per change: its text, and the hash that identifies it. */
function prepare (data) {
  const json = JSON.stringify(canonical(data))
  return { json, hash: sha512(json) }
}

/** Names the content, and the headers that identify it. */
function describe (req, res, next) {
  req.content = current
  // The plugin compares without the quotes.
  res.etag = current.hash
  res.setHeader('ETag', `"${current.hash}"`)
  res.setHeader('Cache-Control', 'public, no-cache')
  next()
}

/** A copy with sorted keys: the same content has the same hash, in whatever order an editor sent it. */
function canonical (value) {
  if (Array.isArray(value)) return value.map(canonical)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, canonical(value[key])]))
}

function isObject (value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sha512 (text) {
  return createHash('sha512').update(text).digest('hex')
}
