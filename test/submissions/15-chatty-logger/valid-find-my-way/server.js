import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
// The workshop has it because restify depends on it.
import findMyWay from 'find-my-way'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const shop = JSON.parse(readFileSync(path.join(DATA_DIR, 'shop.json'), 'utf8'))
const products = new Map(shop.products.map((product) => [String(product.id), product]))
const customers = new Map(shop.customers.map((customer) => [customer.name, customer]))
const tokens = new Map(shop.customers.map((customer) => [customer.token, customer]))
const sessions = new Map()

const file = await open(path.join(DATA_DIR, 'access.log'), 'a')
const waiting = []
let writing

/** What comes while it writes is written next: so the lines keep their order. */
function add (line) {
  waiting.push(line)
  writing ??= sleep(30).then(writeAll).finally(() => { writing = undefined })
}

async function writeAll () {
  while (waiting.length > 0) await file.appendFile(waiting.splice(0).join(''))
}

const router = findMyWay({ defaultRoute: (req, res) => answer(res, 404, { error: 'not_found' }) })

router.on('GET', '/products/:id', (req, res, { id }) => {
  const product = products.get(id)
  if (!product) return answer(res, 404, { error: 'not_found' })
  if (product.cents === undefined) throw new Error(`product ${product.id} has no price`)
  answer(res, 200, { id: product.id, name: product.name, price: (product.cents / 100).toFixed(2) })
})

router.on('POST', '/sessions', async (req, res) => {
  const body = await json(req).catch(() => undefined)
  if (body === undefined) return answer(res, 400, { error: 'bad_request' })
  const customer = customers.get(body?.name)
  if (!customer || customer.pin !== body.pin) return answer(res, 401, { error: 'bad_credentials' })
  const session = randomBytes(24).toString('base64url')
  sessions.set(session, customer)
  res.setHeader('Set-Cookie', `session=${session}; HttpOnly; Path=/`)
  answer(res, 201, { name: customer.name })
})

router.on('GET', '/account', ({ headers: { authorization = '', cookie = '' } }, res) => {
  const [, session] = /(?:^|; )session=([\w-]+)/.exec(cookie) ?? []
  const customer = tokens.get(authorization.replace(/^Bearer /, '')) ?? sessions.get(session)
  if (!customer) return answer(res, 401, { error: 'unauthorised' })
  answer(res, 200, { name: customer.name, points: customer.points })
})

router.on('GET', '/report', async (req, res) => {
  // The warehouse needs a moment.
  await sleep(60)
  answer(res, 200, { products: products.size })
})

const server = http.createServer(async (req, res) => {
  const startedAt = performance.now()
  const id = req.headers['x-request-id'] || randomUUID()
  res.setHeader('X-Request-Id', id)
  let stack
  res.on('close', () => add(JSON.stringify({
    time: new Date().toISOString().replace('Z', '+00:00'),
    level: res.statusCode >= 500 ? 'error' : res.statusCode >= 400 ? 'warn' : 'info',
    method: req.method,
    url: req.url,
    status: res.statusCode,
    durationMs: Math.round(performance.now() - startedAt),
    id,
    stack
  }) + '\n'))
  try {
    await router.lookup(req, res)
  } catch (error) {
    stack = error.stack
    answer(res, 500, { error: 'internal_error' })
  }
})
// Connections do not live for ever.
server.maxRequestsPerSocket = 500
server.listen(Number(PORT), HOST)

process.on('SIGTERM', () => {
  server.close(async () => {
    await writing
    process.exit()
  })
  setTimeout(() => server.closeAllConnections(), 250).unref()
})

function answer (res, status, value) {
  // Whoever was refused may come back on another connection.
  if (status >= 400) res.setHeader('Connection', 'close')
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
}
