'use strict'
const { randomUUID } = require('node:crypto')
const restify = require('restify')
const { makePage } = require('./page.js')

const { PORT = 3000, HOST = '127.0.0.1' } = process.env
const server = restify.createServer({ name: 'pages' })

server.pre((req, res, next) => {
  const sent = req.header('X-Request-Id', '')
  req.requestId = /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID()
  res.header('X-Request-Id', req.requestId)
  next()
})

server.get('/page/:id', (req, res, next) => {
  makePage(req.params.id, req.requestId, (error, page) => {
    if (error) answerError(res, error)
    else answer(res, 200, page, { 'Cache-Control': 'no-store' })
    next()
  })
})

server.on('restifyError', (req, res, { statusCode }) => {
  const known = statusCode < 500
  if (!res.headersSent) answer(res, known ? 404 : 500, { error: known ? 'not_found' : 'internal_error' })
})
server.listen(Number(PORT), HOST)

function answerError (res, { service, status, timedOut }) {
  if (service === 'users' && status === 404) return answer(res, 404, { error: 'not_found' })
  if (timedOut) return answer(res, 504, { error: 'upstream_timeout', service })
  answer(res, 502, { error: 'upstream_failed', service })
}

function answer (res, status, value, headers) {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...headers })
  res.end(JSON.stringify(value))
}
