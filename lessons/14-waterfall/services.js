import { createHash } from 'node:crypto'

/**
 * The shop's six services. What they say changes with every request id, so that no page can be made of what an earlier
 * one was told, and so that a page and its id are enough to know what must be in it.
 *
 * @import { Random, UpstreamOf } from '../../runner/lesson/index.js'
 *
 * @typedef {object} Shop
 * @property {string} salt without it no answer can be foretold
 * @property {{ id: string, name: string, region: string }[]} users
 * @property {string[]} products
 * @property {string[]} segments
 *
 * @typedef {{ id: string, name: string, region: string, segment: string, cart: string, points: number }} User
 * @typedef {{ id: string, items: { product: string, quantity: number }[] }} Cart
 * @typedef {{ products: string[] }} Recommendations
 * @typedef {Record<string, number>} Numbers by product
 * @typedef {Record<string, { stars: number, count: number }>} Reviews by product
 */

export const services = ['users', 'carts', 'recommendations', 'prices', 'stock', 'reviews']

/** ms that a service takes for one answer. @type {Record<string, number>} */
const delays = { users: 8, carts: 8, recommendations: 16, prices: 16, stock: 16, reviews: 16 }
/** Letters that take more than a byte. */
const foreign = ['é', 'ß', 'ø', 'ł', '東']
const regions = ['north', 'south', 'east', 'west']

/** @param {Random} random @returns {Shop} */
export function makeShop (random) {
  return {
    salt: random.word(24),
    users: Array.from({ length: 300 }, () => ({
      id: `u-${random.word(10)}`,
      name: `${capital(random.word(3))}${random.pick(foreign)}${random.word(2)}`,
      region: random.pick(regions)
    })),
    products: Array.from({ length: 80 }, (_, index) => `${random.word(4)}-${100 + index}`),
    segments: Array.from({ length: 6 }, () => random.word(7))
  }
}

/** @type {UpstreamOf} */
export function answerCalls ({ data }) {
  return ({ method, path, headers }) => {
    const url = new URL(path, 'http://upstream')
    const [, service, name = ''] = url.pathname.split('/')
    const json =
      method === 'GET'
        ? answerOf(data, String(headers['x-request-id'] ?? ''), service, decodeURIComponent(name), url.searchParams)
        : undefined
    if (json === undefined) return { status: 404, json: { error: 'not_found' }, delayMs: delays[service] }
    return { json, delayMs: delays[service] }
  }
}

/**
 * @param {Shop} shop @param {string} requestId @param {string} service @param {string} name
 * @param {URLSearchParams} query
 */
function answerOf (shop, requestId, service, name, query) {
  const products = (query.get('products') ?? '').split(',').filter(Boolean)
  switch (service) {
    case 'users': return userOf(shop, requestId, name)
    case 'carts': return cartOf(shop, requestId, name)
    case 'recommendations': return recommendationsOf(shop, requestId, query.get('segment') ?? '')
    case 'prices': return pricesOf(shop, requestId, query.get('region') ?? '', products)
    case 'stock': return stockOf(shop, requestId, products)
    case 'reviews': return reviewsOf(shop, requestId, products)
  }
}

/** @param {Shop} shop @param {string} requestId @param {string} id @returns {User | undefined} */
export function userOf (shop, requestId, id) {
  const user = shop.users.find((user) => user.id === id)
  if (!user) return
  const drawn = draw(shop, requestId, 'users', id)
  return {
    ...user,
    segment: shop.segments[drawn[0] % shop.segments.length],
    cart: `c-${drawn.toString('hex', 1, 9)}`,
    points: drawn.readUInt32LE(9) % 100_000
  }
}

/** @param {Shop} shop @param {string} requestId @param {string} id @returns {Cart} */
export function cartOf (shop, requestId, id) {
  const drawn = draw(shop, requestId, 'carts', id)
  const items = some(shop.products, drawn, 2 + (drawn[0] % 3)).map((product, index) => ({
    product,
    quantity: 1 + (drawn[10 + index] % 9)
  }))
  return { id, items }
}

/** @param {Shop} shop @param {string} requestId @param {string} segment @returns {Recommendations} */
export function recommendationsOf (shop, requestId, segment) {
  return { products: some(shop.products, draw(shop, requestId, 'recommendations', segment), 4) }
}

/**
 * @param {Shop} shop
 * @param {string} requestId
 * @param {string} region
 * @param {string[]} products
 * @returns {Numbers} cents
 */
export function pricesOf (shop, requestId, region, products) {
  return byProduct(products, (product) => 100 + draw(shop, requestId, 'prices', region, product).readUInt16LE(0))
}

/** @param {Shop} shop @param {string} requestId @param {string[]} products @returns {Numbers} pieces */
export function stockOf (shop, requestId, products) {
  return byProduct(products, (product) => draw(shop, requestId, 'stock', product).readUInt16LE(0) % 1000)
}

/** @param {Shop} shop @param {string} requestId @param {string[]} products @returns {Reviews} */
export function reviewsOf (shop, requestId, products) {
  return byProduct(products, (product) => {
    const drawn = draw(shop, requestId, 'reviews', product)
    return { stars: 1 + drawn[0] % 50 / 10, count: drawn.readUInt16LE(1) }
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

/**
 * Different products that follow from the bytes.
 *
 * @param {string[]} products
 * @param {Buffer} drawn
 * @param {number} count
 */
function some (products, drawn, count) {
  const picked = new Set()
  for (let i = 0; picked.size < count; i++) picked.add(products[(drawn[1 + i % 8] + i) % products.length])
  return [...picked]
}

/** @param {Shop} shop @param {string[]} labels @returns {Buffer} 32 bytes, the same for the same labels */
function draw ({ salt }, ...labels) {
  return createHash('sha256').update(JSON.stringify([salt, ...labels])).digest()
}

/** @param {string} word */
function capital (word) {
  return word[0].toUpperCase() + word.slice(1)
}
