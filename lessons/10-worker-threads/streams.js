import { isDeepStrictEqual } from 'node:util'
import { expectedRow } from './reference.js'
import { makeOrder, orderId, orderIndex } from './shop.js'

/**
 * @import { Item, LoadAnswer, Random, Stream } from '../../runner/lesson/index.js'
 * @import { Order, Report, Shop } from './shop.js'
 *
 * @typedef {object} Model what one server must know, seen from its clients
 * @property {Order[]} orders with every write that was started
 * @property {number} acknowledged so many of them every report that is asked for from now on must count, at least
 * @property {boolean} writing a write is on its way: reports may count one order more
 * @property {number[]} asked the last few reports that were asked for, by id
 * @property {number[]} again reports to ask for once more, because an order came in since
 */

// A mix, not a draw for each request: slices hold few answers and should hold the same share of cheap ones.
const requestMix = [...Array(37).fill('report'), 'damaged', 'write', 'write']
const repeated = 2

/** @param {{ data: Shop }} given @returns {Model} */
export function newModel ({ data }) {
  return { orders: [...data.orders], acknowledged: data.orders.length, writing: false, asked: [], again: [] }
}

/**
 * Reports, nearly each of them another one, and now and then an order that all later ones have to count.
 *
 * @type {Stream}
 */
export function reports ({ random, data, model }) {
  const computable = data.reports.filter((/** @type {Report} */ { id }) => !data.damaged.includes(id))
  /** @type {string[]} */
  let kinds = []
  /** @type {Report[]} */
  let fresh = []
  const nextReport = () => {
    const id = model.again.shift()
    if (id !== undefined) return data.reports[id - 1]
    if (fresh.length === 0) fresh = random.shuffle(computable)
    return /** @type {Report} */ (fresh.pop())
  }
  return () => {
    if (kinds.length === 0) kinds = random.shuffle(requestMix)
    const kind = kinds.pop()
    if (kind === 'damaged') return askForDamaged(random.pick(data.damaged))
    if (kind === 'write' && !model.writing) return write(model, data.products, random)
    return askForReport(model, data.products, nextReport(), random)
  }
}

/** @type {Stream} */
export function healthz () {
  return () => ({
    path: '/healthz',
    key: 'healthz',
    check: (answer) => {
      if (answer.status !== 200) return `it should answer 200, got ${answer.status}`
      if (answer.json()?.status !== 'ok') return `it should answer {"status":"ok"}, got ${answer.text().slice(0, 80)}`
    }
  })
}

/**
 * @param {Model} model @param {string[]} products @param {Report} report @param {Random} random
 * @returns {Item}
 */
function askForReport (model, products, report, random) {
  const from = model.acknowledged
  let to = from
  const row = random.int(0, products.length - 1)
  model.asked.push(report.id)
  if (model.asked.length > repeated) model.asked.shift()
  return {
    path: `/report/${report.id}`,
    answered: () => { to = model.orders.length },
    check: (answer) => {
      if (answer.status !== 200) return `expected status 200, got ${answer.status}`
      if (!isJson(answer)) return `Content-Type is ${answer.headers['content-type'] ?? 'missing'}`
      return reportProblem(answer.json(), { model, products, report, from, to, row })
    }
  }
}

/**
 * @param {any} body
 * @param {{ model: Model, products: string[], report: Report, from: number, to: number, row: number }} expected
 *   from, to: how many orders of the shop the report may have seen; row: which row to look at
 */
function reportProblem (body, { model, products, report, from, to, row }) {
  if (body?.report !== report.id) return `expected the report ${report.id}, got ${JSON.stringify(body?.report)}`
  if (body.since !== report.since) {
    return `expected its orders to start with ${report.since}, got ${JSON.stringify(body.since)}`
  }
  const first = orderIndex(report.since)
  if (body.orders < from - first) {
    return `expected ${from - first} orders or more, counting those acknowledged before the request, got ${body.orders}`
  }
  if (!(body.orders <= to - first)) {
    return `expected no more than ${to - first} orders, got ${JSON.stringify(body.orders)}`
  }
  if (!Array.isArray(body.products) || body.products.length !== products.length) {
    return `expected ${products.length} products`
  }
  const count = first + body.orders
  const newest = products.indexOf(model.orders[count - 1].product)
  for (const at of new Set([newest, row])) {
    const expected = expectedRow({ products, orders: model.orders }, report, at, count)
    if (!isDeepStrictEqual(body.products[at], expected)) {
      return `the row of ${products[at]} does not belong to ${body.orders} orders: expected ` +
        `${JSON.stringify(expected)}, got ${JSON.stringify(body.products[at])}`
    }
  }
}

/** @param {number} id @returns {Item} */
function askForDamaged (id) {
  return {
    path: `/report/${id}`,
    check: (answer) => {
      if (answer.status !== 500) {
        return `a report that cannot be computed should be answered with 500, got ${answer.status}`
      }
      if (!isJson(answer)) return `Content-Type is ${answer.headers['content-type'] ?? 'missing'}`
      if (!isDeepStrictEqual(answer.json(), { error: 'internal_error' })) {
        return `expected {"error":"internal_error"}, got ${answer.text().slice(0, 80)}`
      }
    }
  }
}

/** @param {Model} model @param {string[]} products @param {Random} random @returns {Item} */
function write (model, products, random) {
  const order = makeOrder(random, products)
  const expected = { id: orderId(model.orders.length), ...order }
  model.orders.push(expected)
  model.writing = true
  return {
    method: 'POST',
    path: '/orders',
    json: order,
    answered: ({ status }) => {
      // A write that failed stays "on its way": later reports may count it or not, and the check below tells.
      if (status !== 201) return
      model.acknowledged = model.orders.length
      model.writing = false
      model.again = [...model.asked]
    },
    check: (answer) => {
      if (answer.status !== 201) return `expected status 201, got ${answer.status}`
      if (!isDeepStrictEqual(answer.json(), expected)) {
        return `expected ${JSON.stringify(expected)}, got ${answer.text().slice(0, 80)}`
      }
    }
  }
}

/** @param {LoadAnswer} answer */
function isJson ({ headers }) {
  return /^application\/json\b/i.test(headers['content-type'] ?? '')
}
