import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'

const { data } = JSON.parse(readFileSync(path.join(process.env.DATA_DIR, 'seed.json'), 'utf8'))
const dataJson = JSON.stringify(data)
const dataHash = createHash('sha1').update(dataJson).digest('hex')

http.createServer((req, res) => {
  const { method, url } = req
  if (url.split('?', 1)[0] !== '/seed/v1') {
    return send(res, 404, {}, JSON.stringify({ code: 'ResourceNotFound', message: `${url} does not exist` }))
  }
  if (method !== 'GET') {
    const body = JSON.stringify({ code: 'MethodNotAllowed', message: `${method} is not allowed` })
    return send(res, 405, { Allow: 'GET' }, body)
  }
  const urlHash = createHash('sha1').update(url).digest('hex')
  const headers = { ETag: `W/"${dataHash}-${urlHash}"`, 'Cache-Control': 'public, max-age=120' }
  send(res, 200, headers, `{"data":${dataJson},"url":${JSON.stringify(url)},"ts":${Date.now()}}`)
}).listen(Number(process.env.PORT), process.env.HOST)

function send (res, status, headers, body) {
  res.writeHead(status, { ...headers, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  res.end(body)
}
