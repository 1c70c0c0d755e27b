import { readFileSync } from 'node:fs'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import restify from 'restify'
import { logRequest, openLog } from './log.js'
import { openShop } from './shop.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const shop = openShop(JSON.parse(readFileSync(path.join(DATA_DIR, 'shop.json'), 'utf8')))
const log = openLog(path.join(DATA_DIR, 'access.log'))

const server = restify.createServer({ name: 'shop' })
server.pre((req, res, next) => {
  logRequest(log, req, res)
  next()
})

server.get('/products/:id', async (req, res) => answer(res, ...shop.product(req.params.id)))

server.post('/sessions', async (req, res) => {
  const body = await json(req).catch(() => undefined)
  if (body === undefined) return answer(res, 400, { error: 'bad_request' })
  const { status, value, session } = shop.logIn(body ?? {})
  answer(res, status, value, session && { 'Set-Cookie': `session=${session}; Path=/; HttpOnly` })
})

server.get('/account', async (req, res) => answer(res, ...shop.account(req.headers)))

server.get('/report', async (req, res) => {
  // The warehouse needs a moment.
  await new Promise((resolve) => setTimeout(resolve, 60))
  answer(res, ...shop.report())
})

server.on('restifyError', (req, res, error) => {
  const known = error instanceof Error && error.statusCode < 500
  if (!known) res.error = error
  if (!res.headersSent) answer(res, known ? 404 : 500, { error: known ? 'not_found' : 'internal_error' })
})
server.listen(Number(PORT), HOST)

process.on('SIGTERM', () => {
  // First the requests in flight, then their lines.
  server.server.close(() => log.close(() => process.exit()))
  setTimeout(() => server.server.closeAllConnections(), 250).unref()
})

function answer (res, status, value, headers) {
  const body = JSON.stringify(value)
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...headers
  })
  res.end(body)
}
