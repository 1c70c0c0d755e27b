import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import restify from 'restify'

const { PORT, HOST, DATA_DIR } = process.env
const server = restify.createServer({ name: 'seed' })
const tags = new Map()
let data, json
store(JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8')).data)

server.get('/seed/v1', (req, res, next) => {
  const condition = req.headers['if-none-match']
  const etag = condition === undefined ? plainTag(req.url) : hashedTag(req.url)
  res.setHeader('ETag', etag)
  res.setHeader('Cache-Control', 'public, no-cache')
  if (isCurrent(condition, etag)) {
    res.writeHead(304)
    res.end()
    return next()
  }
  const body = Buffer.from(`{"data":${json},"url":${JSON.stringify(req.url)}}`)
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
  res.end(body)
  next()
})

server.put('/seed/v1', ...restify.plugins.jsonBodyParser(), (req, res, next) => {
  const sent = req.body?.data
  const valid = typeof sent === 'object' && sent !== null && !Array.isArray(sent)
  if (valid) store(sent)
  if (valid) res.send(204)
  else res.send(400, { code: 'InvalidContent', message: '`data` has to be an object' })
  next()
})

server.listen(Number(PORT), HOST)

function store (value) {
  data = value
  json = JSON.stringify(data)
  tags.clear()
}

/** Kept by URL; a condition comes from outside, so it is compared with a tag made afresh. */
function plainTag (url) {
  if (tags.size > 100) tags.clear()
  if (!tags.has(url)) tags.set(url, hashedTag(url))
  return tags.get(url)
}

function hashedTag (url) {
  return `"${createHash('sha512').update(JSON.stringify(canonical({ data, url }))).digest('hex')}"`
}

function canonical (value) {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, canonical(value[key])]))
}

function isCurrent (condition, etag) {
  if (condition === undefined) return false
  if (condition === '*') return true
  return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
