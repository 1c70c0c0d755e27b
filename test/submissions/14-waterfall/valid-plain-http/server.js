const { randomUUID } = require('node:crypto')
const http = require('node:http')

const { PORT = 3000, HOST = '127.0.0.1', UPSTREAM_URL } = process.env
const { hostname, port } = new URL(UPSTREAM_URL)
const agent = new http.Agent({ keepAlive: true, maxSockets: 32, scheduling: 'fifo' })

/** Callbacks all the way: done(error, body) is called once. */
function ask (service, path, requestId, done) {
  let open = true
  const finish = (error, body) => {
    if (!open) return
    open = false
    clearTimeout(timer)
    done(error, body)
  }
  const headers = { 'x-request-id': requestId }
  const req = http.get({ hostname, port, path: `/${service}${path}`, agent, headers }, (res) => {
    const chunks = []
    res.on('data', (chunk) => chunks.push(chunk))
    res.on('error', () => finish({ status: 502, body: { error: 'upstream_failed', service } }))
    res.on('end', () => {
      if (res.statusCode === 404 && service === 'users') return finish({ status: 404, body: { error: 'not_found' } })
      if (res.statusCode !== 200) return finish({ status: 502, body: { error: 'upstream_failed', service } })
      finish(null, JSON.parse(Buffer.concat(chunks).toString()))
    })
  })
  const timer = setTimeout(() => {
    finish({ status: 504, body: { error: 'upstream_timeout', service } })
    req.destroy()
  }, 1000)
  req.on('error', () => finish({ status: 502, body: { error: 'upstream_failed', service } }))
}

function makePage (userId, id, done) {
  const got = {}
  let failed = false
  const take = (service, next) => (error, body) => {
    if (failed) return
    if (error) {
      failed = true
      return done(error)
    }
    got[service] = body
    if (next) next(body)
    if (Object.keys(got).length === 6) done(null, render(got))
  }
  ask('users', `/${userId}`, id, take('users', ({ cart, segment, region }) => {
    ask('recommendations', `?segment=${segment}`, id, take('recommendations'))
    ask('carts', `/${cart}`, id, take('carts', ({ items }) => {
      const query = `products=${items.map(({ product }) => product).join()}`
      ask('prices', `?region=${region}&${query}`, id, take('prices'))
      ask('stock', `?${query}`, id, take('stock'))
      ask('reviews', `?${query}`, id, take('reviews'))
    }))
  }))
}

function render ({ users, carts, prices, stock, reviews, recommendations }) {
  const lines = carts.items.map(({ product, quantity }) => ({
    product,
    quantity,
    price: prices[product],
    stock: stock[product],
    reviews: reviews[product]
  }))
  const total = lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
  return {
    user: { id: users.id, name: users.name, points: users.points },
    cart: { id: carts.id, lines, total },
    recommendations: recommendations.products
  }
}

http.createServer((req, res) => {
  const sent = req.headers['x-request-id'] ?? ''
  const id = /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID()
  const reply = (status, body, headers) => {
    res.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'X-Request-Id': id,
      ...headers
    }).end(JSON.stringify(body))
  }
  const [, user] = /^\/page\/([\w-]+)$/.exec(req.url) ?? []
  if (req.method !== 'GET' || !user) return reply(404, { error: 'not_found' })
  makePage(user, id, (error, page) => error
    ? reply(error.status, error.body)
    : reply(200, page, { 'Cache-Control': 'no-store' }))
}).listen(Number(PORT), HOST)
