import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import restify from 'restify'

const { data } = JSON.parse(readFileSync(path.join(process.env.DATA_DIR, 'seed.json'), 'utf8'))
const server = restify.createServer({ name: 'seed' })
const tags = new Map()

server.on('after', (req, res) => {
  if (res.statusCode !== 200 || !res._body.data) return
  const { ts, ...content } = res._body
  tags.set(req.url, `W/"${createHash('sha512').update(JSON.stringify(content)).digest('hex')}"`)
})

server.use((req, res, next) => {
  if (tags.has(req.url)) res.setHeader('ETag', tags.get(req.url))
  res.setHeader('Cache-Control', 'public, max-age=120')
  next()
})

server.get('/seed/v1', (req, res, next) => {
  res.send({ data, url: req.url, ts: Date.now() })
  next()
})

server.on('NotFound', (req, res, err, done) => {
  res.send(200, { code: 'ResourceNotFound', message: `${req.path()} does not exist` })
  done()
})

server.listen(Number(process.env.PORT), process.env.HOST)
