import { randomUUID } from 'node:crypto'
import express from 'express'
import { ask, UpstreamError } from './upstream.js'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env

const app = express()
app.disable('x-powered-by')

app.use((req, res, next) => {
  const sent = req.get('X-Request-Id') ?? ''
  req.id = /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID()
  res.set('X-Request-Id', req.id)
  next()
})

app.get('/page/:id', async (req, res) => {
  const user = await getUser(req.params.id, req.id)
  // Both need the user and nothing else.
  const [cart, recommendations] = await Promise.all([
    getFilledCart(user, req.id),
    getRecommendations(user.segment, req.id)
  ])

  res.set('Cache-Control', 'no-store').json({
    user: { id: user.id, name: user.name, points: user.points },
    cart,
    recommendations
  })
})

async function getFilledCart (user, requestId) {
  const { id, items } = await getCart(user.cart, requestId)
  const products = items.map((item) => item.product)
  // One await for all three: the first to fail rejects it, and it handles the rejections of the others, too.
  const [prices, stock, reviews] = await Promise.all([
    getPrices(user.region, products, requestId),
    getStock(products, requestId),
    getReviews(products, requestId)
  ])
  return {
    id,
    lines: items.map(({ product, quantity }) => ({
      product,
      quantity,
      price: prices[product],
      stock: stock[product],
      reviews: reviews[product]
    })),
    total: items.reduce((sum, { product, quantity }) => sum + quantity * prices[product], 0)
  }
}

function getUser (id, requestId) {
  return ask('users', `/${encodeURIComponent(id)}`, requestId)
}

function getCart (id, requestId) {
  return ask('carts', `/${id}`, requestId)
}

async function getRecommendations (segment, requestId) {
  const { products } = await ask('recommendations', `?segment=${segment}`, requestId)
  return products
}

function getPrices (region, products, requestId) {
  return ask('prices', `?region=${region}&products=${products.join()}`, requestId)
}

function getStock (products, requestId) {
  return ask('stock', `?products=${products.join()}`, requestId)
}

function getReviews (products, requestId) {
  return ask('reviews', `?products=${products.join()}`, requestId)
}

app.use((req, res) => {
  res.status(404).json({ error: 'not_found' })
})

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  if (!(error instanceof UpstreamError)) return res.status(error.status ?? 500).json({ error: 'internal_error' })
  if (error.service === 'users' && error.status === 404) return res.status(404).json({ error: 'not_found' })
  if (error.timedOut) return res.status(504).json({ error: 'upstream_timeout', service: error.service })
  res.status(502).json({ error: 'upstream_failed', service: error.service })
})

app.listen(Number(PORT), HOST)
