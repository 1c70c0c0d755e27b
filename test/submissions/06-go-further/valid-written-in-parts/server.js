import { readFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { json } from 'node:stream/consumers'

const { PORT, HOST, DATA_DIR } = process.env
const run = process.hrtime.bigint().toString(36)
const tail = Buffer.from('}')
let version = 0
let etag, start
put(JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8')).data)

const server = http.createServer((req, res) => {
  if (!/^\/seed\/v1(?:\?|$)/.test(req.url)) return refuse(res, 404, 'ResourceNotFound')
  if (req.method === 'GET') return read(req, res)
  if (req.method === 'PUT') return write(req, res)
  res.setHeader('Allow', ['GET', 'PUT'].join(', '))
  refuse(res, 405, 'MethodNotAllowed')
})
// One of so many answers says `Connection: close`, and does so.
server.maxRequestsPerSocket = 200
server.listen(Number(PORT), HOST)

function put (data) {
  etag = `"${run}/${++version}"`
  start = Buffer.from(`{"data":${JSON.stringify(data)},"url":`)
}

/** The text of the content goes out as it is, beside the few bytes that are the request's own. */
function read (req, res) {
  res.setHeader('ETag', etag)
  res.setHeader('Cache-Control', 'public, no-cache')
  const condition = req.headers['if-none-match']
  if (condition?.trim() === '*' || condition?.match(/"[^"]*"/g)?.includes(etag)) return res.writeHead(304).end()
  const url = Buffer.from(JSON.stringify(req.url))
  res.cork()
  res.writeHead(200, {
    'Content-Type': 'application/json; charset=UTF-8',
    'Content-Length': start.length + url.length + tail.length
  })
  res.write(start)
  res.write(url)
  res.end(tail)
}

async function write (req, res) {
  const sent = await json(req).catch(() => undefined)
  const data = sent?.data
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return refuse(res, 400, 'InvalidContent')
  put(data)
  res.writeHead(204).end()
}

function refuse (res, status, code) {
  const body = JSON.stringify({ code, message: `${status} ${http.STATUS_CODES[status]}` })
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body)
}
