'use strict'

const { readFileSync } = require('node:fs')
const http = require('node:http')
const path = require('node:path')

const { PORT, HOST, DATA_DIR } = process.env
const started = Date.now().toString(36)
let version = 0
let etag, head
store(JSON.parse(readFileSync(path.join(DATA_DIR, 'seed.json'), 'utf8')).data)

http.createServer((req, res) => {
  if (req.url !== '/seed/v1' && !req.url.startsWith('/seed/v1?')) {
    return error(res, 404, 'ResourceNotFound', `${req.url} does not exist`)
  }
  if (req.method === 'GET') return read(req, res)
  if (req.method === 'PUT') return write(req, res)
  error(res, 405, 'MethodNotAllowed', `${req.method} is not allowed`, { Allow: 'GET, PUT' })
}).listen(Number(PORT), HOST)

function store (data) {
  version++
  etag = `"${started}-${version}"`
  head = Buffer.from(`{"data":${JSON.stringify(data)},"url":`)
}

function read (req, res) {
  const headers = { ETag: etag, 'Cache-Control': 'public, no-cache' }
  const condition = req.headers['if-none-match']
  const isOurs = (tag) => tag === etag || tag === `W/${etag}`
  if (condition && (condition === '*' || condition.split(/\s*,\s*/).some(isOurs))) {
    res.writeHead(304, headers)
    return res.end()
  }
  const body = Buffer.concat([head, Buffer.from(`${JSON.stringify(req.url)}}`)])
  res.writeHead(200, { ...headers, 'Content-Type': 'application/json', 'Content-Length': body.length })
  res.end(body)
}

function write (req, res) {
  const chunks = []
  req.on('data', (chunk) => chunks.push(chunk))
  req.on('end', () => {
    let data
    try {
      data = JSON.parse(Buffer.concat(chunks).toString()).data
    } catch (cause) {
      return error(res, 400, 'InvalidContent', cause.message)
    }
    if (typeof data !== 'object' || data === null || Array.isArray(data)) {
      return error(res, 400, 'InvalidContent', 'no data')
    }
    store(data)
    res.writeHead(204)
    res.end()
  })
}

function error (res, status, code, message, headers = {}) {
  const body = Buffer.from(JSON.stringify({ code, message }))
  res.writeHead(status, { ...headers, 'Content-Type': 'application/json', 'Content-Length': body.length })
  res.end(body)
}
