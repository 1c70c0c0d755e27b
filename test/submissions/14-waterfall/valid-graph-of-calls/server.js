// A graph of what needs what: each call begins when its needs are met, and all of them end with the first failure.
import http from 'node:http'
import { randomUUID } from 'node:crypto'
import { page } from './page.js'
import { UpstreamError } from './upstream.js'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env

const server = http.createServer(async (req, res) => {
  const sent = req.headers['x-request-id'] ?? ''
  const requestId = /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID()
  res.setHeader('X-Request-Id', requestId)
  const [, id] = /^\/page\/([^/?]+)\/?(?:\?|$)/i.exec(req.url) ?? []
  if (id === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) {
    return send(res, 404, { error: 'not_found' })
  }
  try {
    const body = await page(decodeURIComponent(id), requestId)
    res.setHeader('Cache-Control', 'no-store')
    send(res, 200, body)
  } catch (error) {
    sendError(res, error)
  }
})

function sendError (res, error) {
  if (error instanceof URIError) return send(res, 400, { error: 'internal_error' })
  if (!(error instanceof UpstreamError)) return send(res, 500, { error: 'internal_error' })
  const { service, status, timedOut } = error
  if (service === 'users' && status === 404) return send(res, 404, { error: 'not_found' })
  if (timedOut) return send(res, 504, { error: 'upstream_timeout', service })
  send(res, 502, { error: 'upstream_failed', service })
}

function send (res, status, body) {
  const text = JSON.stringify(body)
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text)
  }).end(text)
}

server.listen(Number(PORT), HOST)
