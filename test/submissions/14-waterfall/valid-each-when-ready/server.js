import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { json } from 'node:stream/consumers'
import express from 'express'

const { PORT = 3000, HOST = '127.0.0.1', UPSTREAM_URL } = process.env
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })

function fail (service, status, timedOut = false) {
  return Object.assign(new Error(`${service} failed`), { service, upstreamStatus: status, timedOut })
}

async function ask (service, path, requestId, given) {
  const late = AbortSignal.timeout(1000)
  const signal = AbortSignal.any([late, given])
  try {
    const headers = { 'X-Request-Id': requestId }
    const res = await new Promise((resolve, reject) => {
      http.get(`${UPSTREAM_URL}/${service}${path}`, { agent, signal, headers }, resolve).on('error', reject)
    })
    const body = await json(res)
    if (res.statusCode !== 200) throw fail(service, res.statusCode)
    return body
  } catch (error) {
    throw error.service ? error : fail(service, undefined, late.aborted)
  }
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

// Every call is a promise that waits for the promises that it needs. The first failure ends the calls that are under
// way.
async function makePage (userId, id) {
  const controller = new AbortController()
  const call = (service, path) => ask(service, path, id, controller.signal)
  const user = call('users', `/${encodeURIComponent(userId)}`)
  const cart = user.then(({ cart }) => call('carts', `/${cart}`))
  const list = cart.then(({ items }) => items.map(({ product }) => product).join())
  const parts = [
    user,
    cart,
    Promise.all([user, list]).then(([{ region }, list]) => call('prices', `?region=${region}&products=${list}`)),
    list.then((list) => call('stock', `?products=${list}`)),
    list.then((list) => call('reviews', `?products=${list}`)),
    user.then(({ segment }) => call('recommendations', `?segment=${segment}`))
  ]
  try {
    const [{ name, points }, ...rest] = await Promise.all(parts)
    return { user: { id: userId, name, points }, cart: render(...rest), recommendations: rest.at(-1).products }
  } catch (error) {
    controller.abort()
    throw error
  }
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
