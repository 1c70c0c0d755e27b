import { randomBytes } from 'node:crypto'

/** What the shop answers: [status, body]. */
export function openShop (shop) {
  const products = new Map(shop.products.map((product) => [String(product.id), product]))
  const customers = new Map(shop.customers.map((customer) => [customer.name, customer]))
  const tokens = new Map(shop.customers.map((customer) => [customer.token, customer]))
  const sessions = new Map()
  return {
    product (id) {
      const product = products.get(id)
      if (!product) return [404, { error: 'not_found' }]
      if (product.cents === undefined) throw new Error(`product ${product.id} has no price`)
      return [200, { id: product.id, name: product.name, price: (product.cents / 100).toFixed(2) }]
    },
    logIn ({ name, pin }) {
      const customer = customers.get(name)
      if (!customer || customer.pin !== pin) return { status: 401, value: { error: 'bad_credentials' } }
      const session = randomBytes(24).toString('hex')
      sessions.set(session, customer)
      return { status: 201, value: { name: customer.name }, session }
    },
    account ({ authorization = '', cookie = '' }) {
      const token = /^Bearer (\S+)$/.exec(authorization)?.[1]
      const session = /(?:^|; )session=(\w+)/.exec(cookie)?.[1]
      const customer = tokens.get(token) ?? sessions.get(session)
      return customer ? [200, { name: customer.name, points: customer.points }] : [401, { error: 'unauthorised' }]
    },
    report: () => [200, { products: products.size }]
  }
}
