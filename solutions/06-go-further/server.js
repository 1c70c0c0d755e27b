import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import restify from 'restify'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = process.cwd() } = process.env

// Versions count from 1 after every start, so this keeps the tags of two runs apart.
const run = randomBytes(6).toString('base64url')

const current = { version: 0, etag: '', json: '' }
replace(JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8')).data)

const server = restify.createServer({ name: 'seed' })

server.get('/seed/v1', (req, res, next) => {
  const { etag, json } = current
  res.setHeader('ETag', etag)
  res.setHeader('Cache-Control', 'public, no-cache')
  if (isCurrent(req.headers['if-none-match'], etag)) {
    res.writeHead(304)
    res.end()
    return next()
  }
  const body = Buffer.from(`{"data":${json},"url":${JSON.stringify(req.url)}}`)
  // One write for head and body; restify's own send() needs two, and looks for a formatter first.
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
  res.end(body)
  next()
})

server.put('/seed/v1', ...restify.plugins.jsonBodyParser(), (req, res, next) => {
  if (!isObject(req.body) || !isObject(req.body.data)) {
    res.send(400, { code: 'InvalidContent', message: '`data` has to be an object' })
    return next()
  }
  // Before the answer is sent: a client that has seen the 204 must get the new content from its next read.
  replace(req.body.data)
  res.send(204)
  next()
})

server.listen(Number(PORT), HOST)

/** Everything that depends only on the data is computed here, once per change. */
function replace (data) {
  current.version++
  current.etag = `"${run}.${current.version}"`
  current.json = JSON.stringify(data)
}

/** If-None-Match: one tag, a list or `*`, compared weakly (RFC 9110, section 13.1.2). */
function isCurrent (condition, etag) {
  if (condition === undefined) return false
  if (condition === etag || condition.trim() === '*') return true
  return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

function isObject (value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
