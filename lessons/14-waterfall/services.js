import { createHash } from 'node:crypto'

/**
 * The shop's six services. What they say changes with every request id, so that no page can be made of what an earlier
 * one was told, and so that a page and its id are enough to know what must be in it.
 *
 * @import { Random, UpstreamOf } from '../../runner/lesson/index.js'
 *
 * @typedef {ReturnType<typeof makeShop>} Shop
 */

/** ms that a service takes for one answer. @type {Record<string, number>} */
const delays = { users: 8, carts: 8, recommendations: 16, prices: 16, stock: 16, reviews: 16 }
export const services = Object.keys(delays)
/** Letters that take more than a byte. */
const foreign = ['é', 'ß', 'ø', 'ł', '東']
const regions = ['north', 'south', 'east', 'west']

/** @param {Random} random */
export function makeShop (random) {
  return {
    // Without it no answer can be foretold.
    salt: random.word(24),
    users: Array.from({ length: 300 }, () => ({
      id: `u-${random.word(10)}`,
      name: random.word(3).replace(/^./, (letter) => letter.toUpperCase()) + random.pick(foreign) + random.word(2),
      region: random.pick(regions)
    })),
    products: Array.from({ length: 80 }, (_, index) => `${random.word(4)}-${100 + index}`),
    segments: Array.from({ length: 6 }, () => random.word(7))
  }
}

/** @type {UpstreamOf} */
export function answerCalls ({ data }) {
  return ({ method, path, headers }) => {
    const { pathname, searchParams } = new URL(path, 'http://upstream')
    const [, service, name = ''] = pathname.split('/')
    const [segment, region, products] = ['segment', 'region', 'products'].map((key) => searchParams.get(key) ?? '')
    const asked = { name: decodeURIComponent(name), segment, region, products: products.split(',').filter(Boolean) }
    /** @type {Record<string, (given: typeof asked) => unknown>} */
    const says = saidFor(data, String(headers['x-request-id'] ?? ''))
    const json = method === 'GET' && services.includes(service) ? says[service](asked) : undefined
    const delayMs = delays[service]
    return json === undefined ? { status: 404, json: { error: 'not_found' }, delayMs } : { json, delayMs }
  }
}

/**
 * What each service says to a call with this request id.
 *
 * @param {Shop} shop @param {string} requestId
 */
export function saidFor ({ salt, users, products: all, segments }, requestId) {
  /** @param {string[]} labels @returns {Buffer} 32 bytes, the same for the same labels */
  const draw = (...labels) => createHash('sha256').update(JSON.stringify([salt, requestId, ...labels])).digest()
  return /** @satisfies {Record<string, (asked: any) => unknown>} */ ({
    users: ({ name }) => {
      const user = users.find(({ id }) => id === name)
      const drawn = draw('users', name)
      return user && {
        ...user,
        segment: segments[drawn[0] % segments.length],
        cart: `c-${drawn.toString('hex', 1, 9)}`,
        points: drawn.readUInt32LE(9) % 100_000
      }
    },
    carts: ({ name }) => {
      const drawn = draw('carts', name)
      const products = some(all, drawn, 2 + (drawn[0] % 3))
      return { id: name, items: products.map((product, at) => ({ product, quantity: 1 + (drawn[10 + at] % 9) })) }
    },
    recommendations: ({ segment }) => ({ products: some(all, draw('recommendations', segment), 4) }),
    // In cents.
    prices: ({ region, products }) =>
      byProduct(products, (product) => 100 + draw('prices', region, product).readUInt16LE(0)),
    stock: ({ products }) => byProduct(products, (product) => draw('stock', product).readUInt16LE(0) % 1000),
    reviews: ({ products }) => byProduct(products, (product) => {
      const drawn = draw('reviews', product)
      return { stars: 1 + drawn[0] % 50 / 10, count: drawn.readUInt16LE(1) }
    })
  })
}

/**
 * @template T
 * @param {string[]} products @param {(product: string) => T} make
 * @returns {Record<string, T>}
 */
function byProduct (products, make) {
  return Object.fromEntries(products.map((product) => [product, make(product)]))
}

/** Different ones that follow from the bytes. @param {string[]} products @param {Buffer} drawn @param {number} count */
function some (products, drawn, count) {
  const picked = new Set()
  for (let i = 0; picked.size < count; i++) picked.add(products[(drawn[1 + i % 8] + i) % products.length])
  return [...picked]
}
