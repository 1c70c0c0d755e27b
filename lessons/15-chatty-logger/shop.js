import { reply } from '../form/index.js'

/**
 * The shop behind this lesson: products, of which some have lost their price, and customers with their secrets.
 *
 * @import { Random } from '../../runner/lesson/index.js'
 *
 * @typedef {ReturnType<typeof makeShop>} Shop
 */

const things = ['Lamp', 'Café chair', 'Kettle', 'Rug', 'Mirror', 'Étagère', 'Clock', 'Teapot', 'Blanket', 'Stool']

/** @param {{ random: Random }} given */
export function makeShop ({ random }) {
  const products = Array.from({ length: 200 }, (_, index) => ({
    id: index + 1,
    name: `${random.pick(things)} “${random.word(6)}”`,
    cents: /** @type {number | undefined} */ (random.int(100, 99999))
  }))
  for (const product of random.shuffle(products).slice(0, 3)) delete product.cents
  const customers = Array.from({ length: 30 }, (_, index) => ({
    name: `${random.word(7)}${index}`,
    pin: random.bytes(12).toString('hex'),
    token: random.bytes(20).toString('hex'),
    points: random.int(0, 900)
  }))
  return { products, customers }
}

/** @param {Shop} shop @param {string} path */
export function productAt ({ products }, path) {
  const [, id] = /^\/products\/([^?]*)/.exec(path) ?? []
  return products.find((product) => String(product.id) === id)
}

/** What `GET /products/:id` answers. @param {Shop['products'][number] | undefined} product */
export function productAnswer (product) {
  if (!product) return reply(404, { error: 'not_found' })
  const { id, name, cents } = product
  if (cents === undefined) return reply(500, { error: 'internal_error' })
  return reply(200, { id, name, price: (cents / 100).toFixed(2) })
}

/** What `GET /account` answers. @param {Shop} shop @param {Record<string, string>} [headers] */
export function accountAnswer ({ customers }, { authorization } = {}) {
  const customer = customers.find(({ token }) => authorization === `Bearer ${token}`)
  return customer ? reply(200, { name: customer.name, points: customer.points }) : reply(401, { error: 'unauthorised' })
}
