import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import restify from 'restify'

const { data } = JSON.parse(readFileSync(path.join(process.env.DATA_DIR, 'seed.json'), 'utf8'))
const server = restify.createServer({ name: 'seed' })
const tags = { byUrl: new Map(), attached: false }

server.use((req, res, next) => {
  rememberAnswers()
  const key = sha(req.url)
  if (tags.byUrl.has(key)) res.setHeader('ETag', tags.byUrl.get(key))
  res.setHeader('Cache-Control', 'public, max-age=120')
  next()
})

server.get('/seed/v1', (req, res, next) => {
  res.send({ data, url: req.url, ts: Date.now() })
  next()
})

server.listen(Number(process.env.PORT), process.env.HOST)

function rememberAnswers () {
  if (tags.listening) return
  tags.attached = true
  server.on('after', (req, res) => {
    if (res.statusCode !== 200) return
    const { ts, ...content } = res._body
    tags.byUrl.set(sha(req.url), `W/"${sha(JSON.stringify(content))}"`)
  })
}

function sha (text) {
  return createHash('sha1').update(text).digest('hex')
}
