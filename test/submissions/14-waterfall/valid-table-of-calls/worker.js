import { randomUUID } from 'node:crypto'
import http from 'node:http'
import findMyWay from 'find-my-way'
import { runTable } from './run-table.js'
import { ask } from './upstream.js'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env
const products = ({ items }) => items.map(({ product }) => product).join()

/** Each part of a page: the service that knows it, the parts that its path is made of, and the path. */
const table = {
  user: ['users', ['id'], (id) => `/${encodeURIComponent(id)}`],
  cart: ['carts', ['user'], ({ cart }) => `/${cart}`],
  recommendations: ['recommendations', ['user'], ({ segment }) => `?segment=${segment}`],
  prices: ['prices', ['user', 'cart'], ({ region }, cart) => `?region=${region}&products=${products(cart)}`],
  stock: ['stock', ['cart'], (cart) => `?products=${products(cart)}`],
  reviews: ['reviews', ['cart'], (cart) => `?products=${products(cart)}`]
}

const router = findMyWay({ defaultRoute: (req, res) => answer(res, 404, { error: 'not_found' }) })

router.on('GET', '/page/:id', async (req, res, { id }) => {
  const requestId = res.getHeader('X-Request-Id')
  try {
    const parts = await runTable(table, { id }, (service, path) => ask(service, path, requestId))
    res.setHeader('Cache-Control', 'no-store')
    answer(res, 200, render(parts))
  } catch ({ service, status, timedOut }) {
    if (service === 'users' && status === 404) return answer(res, 404, { error: 'not_found' })
    if (service === undefined) return answer(res, 500, { error: 'internal_error' })
    answer(res, timedOut ? 504 : 502, { error: timedOut ? 'upstream_timeout' : 'upstream_failed', service })
  }
})

http.createServer((req, res) => {
  const sent = req.headers['x-request-id'] ?? ''
  res.setHeader('X-Request-Id', /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID())
  router.lookup(req, res)
}).listen(Number(PORT), HOST)

function render ({ user: { id, name, points }, cart, recommendations, prices, stock, reviews }) {
  const lines = cart.items.map(({ product, quantity }) => ({
    product,
    quantity,
    price: prices[product],
    stock: stock[product],
    reviews: reviews[product]
  }))
  const total = lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
  return { user: { id, name, points }, cart: { id: cart.id, lines, total }, recommendations: recommendations.products }
}

function answer (res, status, value) {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(value))
}
