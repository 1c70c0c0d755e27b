import { randomUUID } from 'node:crypto'
import express from 'express'

const { PORT = 3000, HOST = '127.0.0.1', UPSTREAM_URL } = process.env

function fail (service, status, timedOut = false) {
  return Object.assign(new Error(`${service} failed`), { service, upstreamStatus: status, timedOut })
}

async function ask (service, path, requestId) {
  const signal = AbortSignal.timeout(1000)
  try {
    const headers = { 'X-Request-Id': requestId }
    const res = await fetch(`${UPSTREAM_URL}/${service}${path}`, { signal, headers })
    const body = await res.json()
    if (!res.ok) throw fail(service, res.status)
    return body
  } catch (error) {
    throw error.service ? error : fail(service, undefined, signal.aborted)
  }
}

async function fillCart (user, id) {
  const cart = await ask('carts', `/${user.cart}`, id)
  const list = cart.items.map(({ product }) => product).join()
  const [prices, stock, reviews] = await Promise.all([
    ask('prices', `?region=${user.region}&products=${list}`, id),
    ask('stock', `?products=${list}`, id),
    ask('reviews', `?products=${list}`, id)
  ])
  return render(cart, prices, stock, reviews)
}

function render ({ id, items }, prices, stock, reviews) {
  const lines = items.map(({ product, quantity }) => ({
    product,
    quantity,
    price: prices[product],
    stock: stock[product],
    reviews: reviews[product]
  }))
  return { id, lines, total: lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0) }
}

async function makePage (userId, id) {
  const user = await ask('users', `/${encodeURIComponent(userId)}`, id)
  const [cart, { products }] = await Promise.all([
    fillCart(user, id),
    ask('recommendations', `?segment=${user.segment}`, id)
  ])
  return { user: { id: user.id, name: user.name, points: user.points }, cart, recommendations: products }
}

const app = express()
app.use((req, res, next) => {
  const sent = req.get('X-Request-Id') ?? ''
  req.id = /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID()
  res.set('X-Request-Id', req.id)
  next()
})
app.get('/page/:id', async (req, res) => {
  const page = await makePage(req.params.id, req.id)
  res.set('Cache-Control', 'no-store').json(page)
})
app.use((req, res) => res.status(404).json({ error: 'not_found' }))
app.use((error, req, res, next) => {
  const { service, upstreamStatus, timedOut } = error
  if (service === 'users' && upstreamStatus === 404) return res.status(404).json({ error: 'not_found' })
  if (timedOut) return res.status(504).json({ error: 'upstream_timeout', service })
  res.status(502).json({ error: 'upstream_failed', service })
})
app.listen(Number(PORT), HOST)
