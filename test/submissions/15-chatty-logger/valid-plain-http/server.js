const { randomBytes, randomUUID } = require('node:crypto')
const fs = require('node:fs')
const http = require('node:http')
const path = require('node:path')

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const { products, customers } = JSON.parse(fs.readFileSync(path.join(DATA_DIR, 'shop.json'), 'utf8'))
const sessions = new Map()

const fd = fs.openSync(path.join(DATA_DIR, 'access.log'), 'a')
let waiting = ''
let writing = false
let afterwards

/** One write at a time: so the lines keep their order. */
function flush () {
  if (writing || waiting === '') return afterwards?.()
  const bytes = Buffer.from(waiting)
  waiting = ''
  writing = true
  const write = (from) => fs.write(fd, bytes, from, (error, written) => {
    if (!error && from + written < bytes.length) return write(from + written)
    writing = false
    if (waiting !== '') flush()
    else afterwards?.()
  })
  write(0)
}

const routes = [
  ['GET', /^\/products\/([^/]+)$/, async (req, id) => {
    const product = products.find((product) => String(product.id) === id)
    if (!product) return [404, { error: 'not_found' }]
    if (product.cents === undefined) throw new Error(`product ${product.id} has no price`)
    return [200, { id: product.id, name: product.name, price: (product.cents / 100).toFixed(2) }]
  }],
  ['POST', /^\/sessions$/, async (req) => {
    const text = (await req.toArray()).join('')
    let body
    try {
      body = JSON.parse(text)
    } catch {
      return [400, { error: 'bad_request' }]
    }
    const customer = customers.find(({ name, pin }) => name === body.name && pin === body.pin)
    if (!customer) return [401, { error: 'bad_credentials' }]
    const session = randomBytes(24).toString('hex')
    sessions.set(session, customer)
    return [201, { name: customer.name }, { 'Set-Cookie': `session=${session}; Path=/; HttpOnly` }]
  }],
  ['GET', /^\/account$/, async ({ headers }) => {
    const session = /(?:^|; )session=(\w+)/.exec(headers.cookie ?? '')?.[1]
    const customer = customers.find(({ token }) => headers.authorization === `Bearer ${token}`) ?? sessions.get(session)
    return customer ? [200, { name: customer.name, points: customer.points }] : [401, { error: 'unauthorised' }]
  }],
  ['GET', /^\/report$/, () => new Promise((resolve) =>
    setTimeout(() => resolve([200, { products: products.length }]), 60))]
]

const server = http.createServer(async (req, res) => {
  const startedAt = performance.now()
  const id = req.headers['x-request-id'] || randomUUID()
  const [pathname] = req.url.split('?')
  const route = routes.find(([method, pattern]) => method === req.method && pattern.test(pathname))
  let failure
  const answer = route
    ? route[2](req, route[1].exec(pathname)[1])
    : Promise.resolve([404, { error: 'not_found' }])
  const [status, json, headers] = await answer.catch((error) => {
    failure = error
    return [500, { error: 'internal_error' }]
  })
  const body = JSON.stringify(json)
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': id,
    ...headers
  })
  res.end(body, () => {
    if (waiting === '') setTimeout(flush, 20)
    const level = status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info'
    waiting += JSON.stringify({
      time: new Date(),
      level,
      id,
      method: req.method,
      url: req.url,
      status,
      durationMs: performance.now() - startedAt,
      stack: failure?.stack
    }) + '\n'
  })
}).listen(Number(PORT), HOST)

process.on('SIGTERM', () => server.close(() => {
  afterwards = () => { if (!writing) process.exit() }
  flush()
}))
