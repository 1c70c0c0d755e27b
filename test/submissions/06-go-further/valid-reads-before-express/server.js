// Reads are answered by node:http before Express; the tag is a version, raised only where the content differs.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import express from 'express'

const { PORT = '3000', HOST = '127.0.0.1', DATA_DIR = process.cwd() } = process.env

// A tag is a number that each change raises, after something that no other start of the server has.
const start = randomBytes(12).toString('hex')
let version = 0
/** The content with its keys in order, as JSON: the same content is the same text. */
let text = textOf(JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8')).data)
let { head, tag } = prepare()

const app = express()
app.disable('x-powered-by')
app.disable('etag')
// "Any other path" is another path also where only its case or a slash at its end differs.
app.enable('case sensitive routing')
app.enable('strict routing')

app.put('/seed/v1', express.json({ limit: '64mb', type: ['application/json', '+json'] }), (req, res) => {
  if (!isObject(req.body) || !isObject(req.body.data)) {
    return refuse(res, 400, 'InvalidContent', '`data` has to be an object')
  }
  const changed = textOf(req.body.data)
  if (changed !== text) {
    text = changed
    version++
    ;({ head, tag } = prepare())
  }
  res.status(204).end()
})

app.all('/seed/v1', refuseMethod)

app.use((req, res) => refuse(res, 404, 'ResourceNotFound', `${req.path} does not exist`))

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  if (error.status >= 400 && error.status < 500) return refuse(res, 400, 'InvalidContent', error.message)
  console.error(error)
  refuse(res, 500, 'InternalError', 'Something went wrong')
})

// Reads are nearly all of the traffic and need nothing of express. All the rest goes through it.
createServer((req, res) => {
  if (req.method === 'GET' && (req.url === '/seed/v1' || req.url.startsWith('/seed/v1?'))) return read(req, res)
  app(req, res)
}).listen(Number(PORT), HOST)

function read (req, res) {
  if (isCurrent(req.headers['if-none-match'])) {
    res.writeHead(304, { ETag: tag, 'Cache-Control': 'public, no-cache' }).end()
    return
  }
  const end = Buffer.from(`${JSON.stringify(req.url)}}`)
  res.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': head.length + end.length,
    ETag: tag,
    'Cache-Control': 'public, no-cache'
  })
  res.end(Buffer.concat([head, end]))
}

function prepare () {
  return { head: Buffer.from(`{"data":${text},"url":`), tag: `"${start}_${version}"` }
}

/** Is the client's copy the current one? A list of tags may have commas in its tags: it is read tag by tag. */
function isCurrent (header) {
  if (header === undefined) return false
  return header.trim() === '*' || (header.match(/"[^"]*"/g) ?? []).includes(tag)
}

function refuseMethod (req, res) {
  res.set('Allow', 'GET, PUT')
  refuse(res, 405, 'MethodNotAllowed', `${req.method} is not allowed`)
}

function refuse (res, status, code, message) {
  res.status(status).json({ code, message })
}

function textOf (data) {
  return JSON.stringify(canonical(data))
}

function canonical (value) {
  if (Array.isArray(value)) return value.map(canonical)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, canonical(value[key])]))
}

function isObject (value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
