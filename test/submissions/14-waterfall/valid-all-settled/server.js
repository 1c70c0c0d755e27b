import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import Router from 'router'

const { PORT = 3000, HOST = '127.0.0.1', UPSTREAM_URL } = process.env
const TIMEOUT_MS = 1000

class Failure extends Error {
  constructor (service, details) {
    super(`${service} failed`)
    Object.assign(this, { service, ...details })
  }
}

/** One service: a pool of connections of its own, so that a slow one takes no connection from the others. */
class Service {
  #name
  #agent = new http.Agent({ keepAlive: true, maxSockets: 24 })

  constructor (name) {
    this.#name = name
  }

  async ask (path, requestId) {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const headers = { 'X-Request-Id': requestId, Accept: 'application/json' }
      const req = http.request(`${UPSTREAM_URL}/${this.#name}${path}`, { agent: this.#agent, signal, headers }).end()
      const [res] = await once(req, 'response')
      const chunks = await res.toArray()
      if (res.statusCode === 200) return JSON.parse(Buffer.concat(chunks))
      throw new Failure(this.#name, { status: res.statusCode })
    } catch (error) {
      throw error instanceof Failure ? error : new Failure(this.#name, { timedOut: signal.aborted })
    }
  }
}

const [users, carts, recommendations, prices, stock, reviews] =
  ['users', 'carts', 'recommendations', 'prices', 'stock', 'reviews'].map((name) => new Service(name))

/** All of them, or the first that failed, once none is under way any more. */
async function all (...calls) {
  const settled = await Promise.allSettled(calls)
  const failed = settled.find(({ status }) => status === 'rejected')
  if (failed) throw failed.reason
  return settled.map(({ value }) => value)
}

async function pageOf (userId, requestId) {
  const { id, name, points, region, segment, cart } = await users.ask(`/${encodeURIComponent(userId)}`, requestId)
  const fill = async () => {
    const { items } = await carts.ask(`/${cart}`, requestId)
    const list = new URLSearchParams({ products: items.map(({ product }) => product).join() })
    const [price, pieces, opinions] = await all(
      prices.ask(`?${list}&region=${region}`, requestId),
      stock.ask(`?${list}`, requestId),
      reviews.ask(`?${list}`, requestId)
    )
    return {
      id: cart,
      lines: items.map(({ product, quantity }) => ({
        product,
        quantity,
        price: price[product],
        stock: pieces[product],
        reviews: opinions[product]
      })),
      total: items.reduce((sum, { product, quantity }) => sum + price[product] * quantity, 0)
    }
  }
  const [filled, { products }] = await all(fill(), recommendations.ask(`?segment=${segment}`, requestId))
  return { user: { id, name, points }, cart: filled, recommendations: products }
}

const router = Router()

router.get('/page/:id', async (req, res) => {
  const page = await pageOf(req.params.id, req.id)
  res.setHeader('Cache-Control', 'no-store')
  answer(res, 200, page)
})

router.use((error, req, res, next) => {
  const { service, status, timedOut } = error
  if (service === undefined) return next(error)
  if (service === 'users' && status === 404) return answer(res, 404, { error: 'not_found' })
  answer(res, timedOut ? 504 : 502, { error: timedOut ? 'upstream_timeout' : 'upstream_failed', service })
})

http.createServer((req, res) => {
  const sent = req.headers['x-request-id'] ?? ''
  req.id = /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID()
  res.setHeader('X-Request-Id', req.id)
  // The balancer in front counts connections, and wants a new one for each page.
  res.setHeader('Connection', 'close')
  router(req, res, (error) => error
    ? answer(res, 500, { error: 'internal_error' })
    : answer(res, 404, { error: 'not_found' }))
}).listen(Number(PORT), HOST)

function answer (res, status, value) {
  const body = Buffer.from(JSON.stringify(value))
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length }).end(body)
}
