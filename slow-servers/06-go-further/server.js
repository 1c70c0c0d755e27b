import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import restify from 'restify'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = process.cwd() } = process.env

let { data } = JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8'))

const server = restify.createServer({ name: 'seed' })

server.get('/seed/v1', describe, ...restify.plugins.conditionalRequest(), (req, res, next) => {
  res.send(req.content)
  next()
})

server.put('/seed/v1', ...restify.plugins.jsonBodyParser(), (req, res, next) => {
  if (!isObject(req.body) || !isObject(req.body.data)) {
    res.send(400, { code: 'InvalidContent', message: '`data` has to be an object' })
    return next()
  }
  data = req.body.data
  res.send(204)
  next()
})

server.listen(Number(PORT), HOST)

/** Builds the content and the headers that identify it. */
function describe (req, res, next) {
  req.content = canonical({ data, url: req.url })
  const hash = sha512(JSON.stringify(req.content))
  // The plugin compares without the quotes.
  res.etag = hash
  res.setHeader('ETag', `"${hash}"`)
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
