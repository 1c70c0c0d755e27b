import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import restify from 'restify'

const { PORT, HOST, DATA_DIR } = process.env
const server = restify.createServer({ name: 'seed' })
let { data } = JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8'))
let prepared

function prepare () {
  const text = JSON.stringify(data)
  return { text, hash: createHash('sha512').update(text).digest('hex') }
}

server.get('/seed/v1', (req, res, next) => {
  prepared ??= prepare()
  // The hash of the data and the URL are all that there is to an answer.
  res.etag = `${prepared.hash}${Buffer.from(req.url).toString('hex')}`
  res.setHeader('ETag', `"${res.etag}"`)
  res.setHeader('Cache-Control', 'public, no-cache')
  next()
}, ...restify.plugins.conditionalRequest(), (req, res, next) => {
  const body = `{"url":${JSON.stringify(req.url)},"data":${prepared.text}}`
  res.sendRaw(200, body, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  next()
})

server.put('/seed/v1', ...restify.plugins.jsonBodyParser(), (req, res, next) => {
  const sent = req.body?.data
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    res.send(400, { code: 'InvalidContent', message: '`data` has to be an object' })
    return next()
  }
  data = sent
  prepared = undefined
  res.send(204)
  next()
})

server.listen(Number(PORT), HOST)
