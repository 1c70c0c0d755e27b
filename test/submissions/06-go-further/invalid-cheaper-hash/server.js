import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import restify from 'restify'

const { PORT, HOST, DATA_DIR } = process.env
const server = restify.createServer({ name: 'seed' })
let data
store(JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8')).data)

server.get('/seed/v1', (req, res, next) => {
  const content = canonical({ data, url: req.url })
  const etag = `"${createHash('md5').update(JSON.stringify(content)).digest('base64url')}"`
  res.setHeader('ETag', etag)
  res.setHeader('Cache-Control', 'public, no-cache')
  if (isCurrent(req.headers['if-none-match'], etag)) {
    res.writeHead(304)
    res.end()
    return next()
  }
  const body = Buffer.from(JSON.stringify(content))
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
