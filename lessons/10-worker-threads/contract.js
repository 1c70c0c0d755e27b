import { isDeepStrictEqual } from 'node:util'
import { makeOrder, orderIndex } from './shop.js'

/**
 * @import { Given } from '../../runner/contract/index.js'
 * @import { Check, Random } from '../../runner/lesson/index.js'
 * @import { Shop } from './shop.js'
 */

/**
 * What every correct report server must do. A report costs tens of milliseconds: checks are sparing with reports.
 */

// Enough to reach more than one thread of any pool; fewer than the connections of the load.
const atOnce = 4
const failures = 6

/** @type {Check[]} */
export const contract = [
  {
    name: 'answers GET /healthz with {"status":"ok"}',
    run: async ({ get }) => {
      (await get('/healthz')).expectStatus(200).expectType('application/json').expectJson({ status: 'ok' })
    }
  },
  {
    name: 'computes the same report as the slow server',
    when: ['before'],
    run: async ({ same, random, data }) => {
      for (const n of someReports(random, data, 2)) (await same({ path: `/report/${n}` })).expectStatus(200)
    }
  },
  {
    name: 'answers 404 to a report that is not there',
    run: async ({ get, random, data }) => {
      for (const n of ['0', String(data.reports.length + random.int(1, 1000)), random.word(6), '1.5', '-1']) {
        (await get(`/report/${n}`)).expectStatus(404).expectType('application/json').expectJson({ error: 'not_found' })
      }
    }
  },
  {
    name: 'answers a new order with 201 and the order with its id',
    run: async ({ post, random, data, fail }) => {
      const [first, second] = [await addOrder(post, random, data), await addOrder(post, random, data)]
      if (orderIndex(second.id) !== orderIndex(first.id) + 1) {
        fail(`POST /orders: expected the id after ${first.id}, got ${second.id}`)
      }
    }
  },
  {
    name: 'refuses an order that is none',
    run: async ({ get, post, random, data, fail }) => {
      const [n] = someReports(random, data, 1)
      const before = await getReport(get, n)
      const [product] = data.products
      const refused = [
        { product: random.word(8), quantity: 1 },
        { product, quantity: 0 },
        { product, quantity: '3' },
        { product, quantity: 1.5 },
        { product, quantity: 1001 },
        { product },
        {}
      ]
      for (const json of refused) {
        (await post('/orders', { json }))
          .expectStatus(400)
          .expectType('application/json')
          .expectJson({ error: 'invalid_order' })
      }
      const broken = await post('/orders', {
        headers: { 'content-type': 'application/json' },
        body: `{"product": "${product}"`
      })
      broken.expectStatus(400)
      const after = await getReport(get, n)
      if (after.orders !== before.orders) {
        fail(`GET /report/${n}: expected ${before.orders} orders after some that were refused, got ${after.orders}`)
      }
    }
  },
  {
    name: 'counts a new order in the very next report',
    run: async ({ get, post, random, data, fail }) => {
      const [n] = someReports(random, data, 1)
      const before = await getReport(get, n)
      const { product } = await addOrder(post, random, data)
      const after = await getReport(get, n)
      if (after.orders !== before.orders + 1) {
        fail(`GET /report/${n}: expected ${before.orders + 1} orders in the report after a write, got ${after.orders}`)
      }
      for (const [index, row] of after.products.entries()) {
        const old = before.products[index]
        if (row.product === product && row.orders !== old.orders + 1) {
          fail(
            `GET /report/${n}: expected ${old.orders + 1} orders of ${product}, which was written before, got ` +
              `${row.orders}`
          )
        }
        if (row.product !== product && !isDeepStrictEqual(row, old)) {
          fail(`GET /report/${n}: an order of ${product} has changed the row of ${old.product}`)
        }
      }
    }
  },
  {
    name: 'computes a new order into the forecast',
    when: ['before'],
    run: async ({ get, post, same, random, data }) => {
      const [n] = someReports(random, data, 1)
      await getReport(get, n)
      await addOrder(post, random, data)
      ;(await same({ path: `/report/${n}` })).expectStatus(200)
    }
  },
  {
    name: 'counts a new order whoever computes the report',
    run: async ({ get, post, random, data, fail }) => {
      const [n] = someReports(random, data, 1)
      const before = await totalOrders(get, n)
      await addOrder(post, random, data)
      await expectTotal({ get, random, data, fail }, before + 1)
    }
  },
  {
    name: 'answers several reports at the same time, each with its own',
    run: async ({ get, random, data, fail }) => {
      const numbers = someReports(random, data, atOnce - 1)
      const [damaged, ...together] = await Promise.all([
        get(`/report/${random.pick(data.damaged)}`),
        ...numbers.map((n) => getReport(get, n))
      ])
      damaged.expectStatus(500)
      for (const [index, n] of numbers.entries()) {
        const alone = await getReport(get, n)
        if (!isDeepStrictEqual(together[index], alone)) {
          fail(`GET /report/${n}: asked for together with others, it was another report than alone`)
        }
      }
    }
  },
  {
    name: 'shows the orders of one moment in a report',
    run: async ({ get, post, random, data, fail }) => {
      const [n, ...others] = someReports(random, data, 2)
      const before = await getReport(get, n)
      const [created, ...reports] = await Promise.all([
        addOrder(post, random, data),
        ...[...others, n, n].map((other) => getReport(get, other))
      ])
      const row = data.products.indexOf(created.product)
      for (const report of reports.filter(({ report }) => report === n)) {
        const [more, moreOfIt] = [
          report.orders - before.orders,
          report.products[row].orders - before.products[row].orders
        ]
        if (more !== 0 && more !== 1) {
          fail(`GET /report/${n}: expected ${before.orders} orders or one more, got ${report.orders}`)
        }
        if (more !== moreOfIt) {
          fail(
            `GET /report/${n}: it counts ${report.orders} orders, but the row of ${created.product} is of another ` +
              'moment'
          )
        }
      }
    }
  },
  {
    name: 'answers 500 to a report that cannot be computed, and computes the next one',
    run: async ({ get, random, data }) => {
      for (const damaged of random.shuffle(data.damaged).slice(0, 2)) {
        await expectFailure(get, damaged)
        const [n] = someReports(random, data, 1)
        await getReport(get, n)
      }
    }
  },
  {
    name: 'forgets no order when reports have failed',
    run: async ({ get, post, random, data, fail }) => {
      const [n] = someReports(random, data, 1)
      const before = await totalOrders(get, n)
      await addOrder(post, random, data)
      await Promise.all(Array.from({ length: failures }, () => expectFailure(get, random.pick(data.damaged))))
      await expectTotal({ get, random, data, fail }, before + 1)
    }
  }
]

/**
 * Numbers of reports that can be computed, each another one.
 *
 * @param {Random} random
 * @param {Shop} data
 * @param {number} count
 * @returns {number[]}
 */
function someReports (random, { reports, damaged }, count) {
  /** @type {Set<number>} */
  const picked = new Set()
  while (picked.size < count) {
    const { id } = random.pick(reports)
    if (!damaged.includes(id)) picked.add(id)
  }
  return [...picked]
}

/** @param {Given['get']} get @param {number} n */
async function getReport (get, n) {
  const answer = await get(`/report/${n}`)
  answer.expectStatus(200).expectType('application/json').expectShape({
    report: (/** @type {unknown} */ id) => id === n,
    since: 'string',
    orders: 'number',
    products: [{ product: 'string', orders: 'number', likely: 'number', stock: 'number' }]
  })
  return answer.json()
}

/** All orders of the shop, as a report shows them. @param {Given['get']} get @param {number} n */
async function totalOrders (get, n) {
  const { since, orders } = await getReport(get, n)
  return orderIndex(since) + orders
}

/** @param {Pick<Given, 'get' | 'random' | 'data' | 'fail'>} given @param {number} total */
async function expectTotal ({ get, random, data, fail }, total) {
  const numbers = someReports(random, data, atOnce)
  const totals = await Promise.all(numbers.map((n) => totalOrders(get, n)))
  totals.forEach((got, index) => {
    if (got !== total) {
      fail(`GET /report/${numbers[index]}: of the ${total} orders that the shop has, this report knows ${got}`)
    }
  })
}

/** @param {Given['post']} post @param {Random} random @param {Shop} data */
async function addOrder (post, random, { products }) {
  const order = makeOrder(random, products)
  const answer = await post('/orders', { json: order })
  answer.expectStatus(201).expectType('application/json').expectShape({
    id: /^A-\d{5,}$/,
    product: (/** @type {unknown} */ product) => product === order.product,
    quantity: (/** @type {unknown} */ quantity) => quantity === order.quantity
  })
  return answer.json()
}

/** @param {Given['get']} get @param {number} n */
async function expectFailure (get, n) {
  const answer = await get(`/report/${n}`)
  answer.expectStatus(500).expectType('application/json').expectJson({ error: 'internal_error' })
}
