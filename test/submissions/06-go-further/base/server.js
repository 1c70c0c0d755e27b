import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import restify from 'restify'

const { PORT, HOST, DATA_DIR } = process.env
const server = restify.createServer({ name: 'seed' })
const run = randomBytes(6).toString('hex')
let version = 0
let etag, json
store(JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8')).data)

server.get('/seed/v1', (req, res, next) => {
  res.setHeader('ETag', etag)
  res.setHeader('Cache-Control', 'public, no-cache')
  if (isCurrent(req.headers['if-none-match'])) {
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

function store (data) {
  json = JSON.stringify(data)
  etag = `"${run}.${++version}"`
}

function isCurrent (condition) {
  if (condition === undefined) return false
  if (condition === '*') return true
  return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
