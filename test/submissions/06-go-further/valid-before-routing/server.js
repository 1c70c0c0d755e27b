import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import restify from 'restify'

const { PORT, HOST, DATA_DIR } = process.env
const server = restify.createServer({ name: 'seed', handleUncaughtExceptions: false })
const parts = { etag: '', start: '' }
store(JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8')).data)

// Known before the route is: whether the client has this content already.
server.pre((req, res, next) => {
  const condition = req.headers['if-none-match']
  if (condition === undefined || req.method !== 'GET' || !/^\/seed\/v1(\?|$)/.test(req.url)) return next()
  const tags = condition.match(/"[^"]*"|\*/g) ?? []
  if (!tags.includes('*') && !tags.includes(parts.etag)) return next()
  res.setHeader('ETag', parts.etag)
  res.setHeader('Cache-Control', 'public, no-cache')
  res.writeHead(304)
  res.end()
  next(false)
})

server.get('/seed/v1', (req, res, next) => {
  res.setHeader('ETag', parts.etag)
  res.setHeader('Cache-Control', 'public, no-cache')
  const body = `${parts.start}${JSON.stringify(req.url)}}`
  res.sendRaw(200, body, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
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
  parts.etag = `"${randomUUID()}"`
  parts.start = `{"data":${JSON.stringify(data)},"url":`
}
