/**
 * The shop behind this lesson: products, of which some have lost their price, and customers with their secrets.
 *
 * @import { Random } from '../../runner/lesson/index.js'
 *
 * @typedef {object} Shop
 * @property {{ id: number, name: string, cents?: number }[]} products
 * @property {{ name: string, pin: string, token: string, points: number }[]} customers
 */

const things = ['Lamp', 'Café chair', 'Kettle', 'Rug', 'Mirror', 'Étagère', 'Clock', 'Teapot', 'Blanket', 'Stool']

/** @param {Random} random @returns {Shop} */
export function makeShop (random) {
  /** @type {Shop['products']} */
  const products = Array.from({ length: 200 }, (_, index) => ({
    id: index + 1,
    name: `${random.pick(things)} “${random.word(6)}”`,
    cents: random.int(100, 99999)
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

/**
 * What `GET /products/:id` answers.
 *
 * @param {Shop['products'][number] | undefined} product
 * @returns {{ status: number, body: Record<string, unknown> }}
 */
export function productAnswer (product) {
  if (!product) return { status: 404, body: { error: 'not_found' } }
  if (product.cents === undefined) return { status: 500, body: { error: 'internal_error' } }
  return { status: 200, body: { id: product.id, name: product.name, price: (product.cents / 100).toFixed(2) } }
}
