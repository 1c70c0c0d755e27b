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
  const cart = await getCart(user.cart, req.id)
  const recommendations = await getRecommendations(user.id, req.id)
  const products = cart.items.map((item) => item.product)
  const prices = await getPrices(user.region, products, req.id)
  const stock = await getStock(products, req.id)
  const reviews = await getReviews(products, req.id)

  res.set('Cache-Control', 'no-store').json({
    user: { id: user.id, name: user.name, points: user.points },
    cart: {
      id: cart.id,
      lines: cart.items.map(({ product, quantity }) => ({
        product,
        quantity,
        price: prices[product],
        stock: stock[product],
        reviews: reviews[product]
      })),
      total: cart.items.reduce((sum, { product, quantity }) => sum + quantity * prices[product], 0)
    },
    recommendations
  })
})

function getUser (id, requestId) {
  return ask('users', `/${encodeURIComponent(id)}`, requestId)
}

function getCart (id, requestId) {
  return ask('carts', `/${id}`, requestId)
}

async function getRecommendations (userId, requestId) {
  const { segment } = await getUser(userId, requestId)
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
