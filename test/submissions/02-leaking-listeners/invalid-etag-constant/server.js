import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import restify from 'restify'

const { data } = JSON.parse(readFileSync(path.join(process.env.DATA_DIR, 'seed.json'), 'utf8'))
const server = restify.createServer({ name: 'seed' })
const tag = `W/"${createHash('sha512').update(data).digest('hex')}"`

server.use((req, res, next) => {
  res.setHeader('ETag', tag)
  res.setHeader('Cache-Control', 'public, max-age=120')
  next()
})

server.get('/seed/v1', (req, res, next) => {
  res.send({ data, url: req.url, ts: Date.now() })
  next()
})

server.listen(Number(process.env.PORT), process.env.HOST)
