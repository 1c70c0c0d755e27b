'use strict'

const { STATUS_CODES } = require('node:http')
const restify = require('restify')
const accounts = require('./accounts')

const server = restify.createServer({ name: 'accounts' })
server.use(restify.plugins.queryParser({ mapParams: false }))

server.get('/healthz', (req, res, next) => {
  res.json({ status: 'ok' })
  next()
})
server.get('/newUser', route(async (username, password) => await accounts.create(username, password) ? 200 : 409))
server.get('/auth', route(async (username, password) => await accounts.verify(username, password) ? 200 : 401))

server.listen(Number(process.env.PORT), process.env.HOST)

function route (statusOf) {
  return async ({ query: { username, password } }, res) => {
    const complete = [username, password].every((value) => typeof value === 'string' && value !== '')
    const status = complete ? await statusOf(username, password) : 400
    const text = STATUS_CODES[status]
    res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': text.length })
    res.end(text)
  }
}
