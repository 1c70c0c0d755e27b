import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'
import { logRequests, openAccessLog } from './access-log.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const shop = JSON.parse(readFileSync(path.join(DATA_DIR, 'shop.json'), 'utf8'))
const products = new Map(shop.products.map((product) => [String(product.id), product]))
const customers = new Map(shop.customers.map((customer) => [customer.name, customer]))
const tokens = new Map(shop.customers.map((customer) => [customer.token, customer]))
const sessions = new Map()

const log = openAccessLog(path.join(DATA_DIR, 'access.log'))

const app = express()
app.disable('x-powered-by')

app.use((req, res, next) => {
  req.id = req.get('x-request-id') || randomUUID()
  res.set('X-Request-Id', req.id)
  next()
})
app.use(logRequests(log))

app.get('/products/:id', (req, res) => {
  const product = products.get(req.params.id)
  if (!product) return res.status(404).json({ error: 'not_found' })
  if (product.cents === undefined) throw new Error(`product ${product.id} has no price`)
  res.json({ id: product.id, name: product.name, price: (product.cents / 100).toFixed(2) })
})

app.post('/sessions', express.json(), (req, res) => {
  const customer = customers.get(req.body?.name)
  if (!customer || customer.pin !== req.body.pin) return res.status(401).json({ error: 'bad_credentials' })
  const session = randomBytes(24).toString('hex')
  sessions.set(session, customer)
  res.cookie('session', session, { httpOnly: true }).status(201).json({ name: customer.name })
})

app.get('/account', (req, res) => {
  const token = /^Bearer (\S+)$/.exec(req.get('authorization') ?? '')?.[1]
  const session = /(?:^|; )session=(\w+)/.exec(req.get('cookie') ?? '')?.[1]
  const customer = tokens.get(token) ?? sessions.get(session)
  if (!customer) return res.status(401).json({ error: 'unauthorised' })
  res.json({ name: customer.name, points: customer.points })
})

app.get('/report', async (req, res) => {
  // The warehouse needs a moment.
  await new Promise((resolve) => setTimeout(resolve, 60))
  res.json({ products: products.size })
})

app.use((req, res) => {
  res.status(404).json({ error: 'not_found' })
})

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  res.locals.error = error
  const status = error.status ?? 500
  res.status(status).json({ error: status < 500 ? 'bad_request' : 'internal_error' })
})

const server = app.listen(Number(PORT), HOST)

process.on('SIGTERM', () => {
  // First the requests in flight, then their lines.
  server.close(() => log.close(() => process.exit()))
  // A client may never finish what it has begun to send.
  setTimeout(() => server.closeAllConnections(), 250).unref()
})
