import { countDrawn } from '../shared/answers.js'
import { leastBroken, notJson, oddNumbers, withUnasked, wrongBodies } from '../form/kinds.js'
import { makeOrder, ordering, someReport } from './shop.js'

/** @import { Operation, Random } from '../../runner/lesson/index.js' */

/** @type {Record<string, Operation>} */
export const operations = {
  healthz: { rule: 'answers GET /healthz with {"status":"ok"}', weight: 0.5, draw: () => ({ path: '/healthz' }) },
  report: {
    rule: 'computes a report from its seed and from every order, to the last digit',
    weight: 3,
    draw: ({ random, data, past, about }) => {
      const known = past('report')
      // A server that keeps reports shows old ones to requests after a write.
      return known.length > 0 && random.next() < (about ? 0.6 : 0.2)
        ? random.pick(known).asked
        : { path: `/report/${someReport(random, data).id}` }
    }
  },
  // To the engine it's a write: those are the ones that it sends at the same time.
  atOnce: {
    rule: 'shows the orders of one moment in a report',
    effect: 'computes the same report over the same orders, whatever was requested before',
    touches: ['report'],
    weight: 2,
    draw: ({ random, data }) => ({ path: `/report/${someReport(random, data).id}` })
  },
  damaged: {
    rule: 'answers 500 when a report can’t be computed',
    effect: 'computes the reports that come after one that failed',
    touches: ['report', 'report'],
    weight: 1.5,
    draw: ({ random, data }) => ({ path: `/report/${random.pick(data.damaged)}` })
  },
  none: {
    rule: 'answers 404 when there’s no such report',
    least: 8,
    odd: true,
    draw: ({ random, data, past }) => {
      const beyond = data.reports.length + random.int(1, 1000)
      const values = [...oddNumbers(random), String(beyond), random.word(6)]
      return { path: `/report/${values[countDrawn(past('none')) % values.length]}` }
    }
  },
  order: {
    rule: 'answers a new order with 201 and the order with its id',
    effect: 'counts a new order in the very next report',
    touches: ['report', 'report', 'report'],
    weight: 3,
    draw: ({ random, data }) =>
      ordering(withUnasked(random, makeOrder(random, data.products), { id: data.orders[0].id, orders: [] }))
  },
  refuse: {
    rule: 'refuses an invalid order with 400',
    effect: 'counts no order that it refused',
    touches: ['report'],
    draw: ({ random, data }) => ordering(random.pick(noOrders(random, data.products)))
  },
  broken: {
    rule: 'refuses a body that isn’t JSON',
    effect: 'counts no order that it refused',
    touches: ['report'],
    weight: 0.5,
    least: leastBroken,
    loose: true,
    draw: ({ random, data, past }) => ({
      method: 'POST',
      path: '/orders',
      headers: { 'content-type': 'application/json' },
      body: notJson(makeOrder(random, data.products), countDrawn(past('broken')))
    })
  }
}

/** Orders that are invalid. @param {Random} random @param {string[]} products @returns {unknown[]} */
export function noOrders (random, products) {
  const order = makeOrder(random, products)
  return [
    ...wrongBodies(random, order, { product: 'key', quantity: 'number' }),
    { ...order, product: [order.product] },
    { ...order, quantity: 1001 }
  ]
}
