import { isDeepStrictEqual } from 'node:util'
import { headProblem } from '../shared/answers.js'
import { inMix } from '../shared/batches.js'
import { countIn, expectedRow, makeOrder, orderId, orderIndex, ordering, someReport } from './shop.js'

/**
 * @import { Item, Stream } from '../../runner/lesson/index.js'
 * @import { Order, Report, Shop } from './shop.js'
 *
 * @typedef {object} Model what one server must know, seen from its clients
 * @property {Order[]} orders with every write that was started
 * @property {number} acknowledged every report requested from now on must count at least this many of them
 * @property {boolean} writing a write is in flight: reports may count one order more
 * @property {Report[]} asked the last few reports that were requested
 * @property {Report[]} again reports to request again, because an order came in since
 */

const requestMix = [...Array(37).fill('report'), 'damaged', 'write', 'write']
const repeated = 2
/**
 * This many rows of every report under load are recomputed, besides that of the newest order. A check sees 250
 * (busy machine) to 500 reports of yours, so one in a hundred that is made up is found by 92 to 99 checks of a hundred.
 */
const rows = 3

/** @param {{ data: Shop }} given @returns {Model} */
export function newModel ({ data }) {
  return { orders: [...data.orders], acknowledged: data.orders.length, writing: false, asked: [], again: [] }
}

/**
 * Reports, nearly each of them another one, and now and then an order that all later ones have to count.
 *
 * @type {Stream}
 */
export function reports (given) {
  const { random, data, model } = given
  const next = inMix(random, requestMix)
  const failing = { key: 'damaged', check: shows({ error: 'internal_error' }, 500) }
  return () => {
    const kind = next()
    if (kind === 'damaged') return { path: `/report/${random.pick(data.damaged)}`, ...failing }
    if (kind === 'write' && !model.writing) return write(given)
    return askForReport(given, model.again.shift() ?? someReport(random, data))
  }
}

/** @type {Stream} */
export function healthz () {
  return () => ({ path: '/healthz', key: 'healthz', check: shows({ status: 'ok' }) })
}

/** @param {Parameters<Stream>[0]} given @param {Report} report @returns {Item} */
function askForReport ({ random, data: { products }, model }, report) {
  const from = model.acknowledged
  let to = from
  const places = Array.from({ length: rows }, () => random.int(0, products.length - 1))
  model.asked.push(report)
  if (model.asked.length > repeated) model.asked.shift()
  return {
    path: `/report/${report.id}`,
    answered: () => { to = model.orders.length },
    check: (answer) => headProblem(answer) ??
      reportProblem(answer.json(), { model, products, report, from, to, places })
  }
}

/**
 * @param {any} body
 * @param {{ model: Model, products: string[], report: Report, from: number, to: number, places: number[] }} expected
 *   from, to: how many orders of the shop the report may have seen; places: which rows to look at
 */
function reportProblem (body, { model, products, report, from, to, places }) {
  if (body?.report !== report.id) return `expected the report ${report.id}, got ${JSON.stringify(body?.report)}`
  if (body.since !== report.since) {
    return `expected its orders to start with ${report.since}, got ${JSON.stringify(body.since)}`
  }
  const first = orderIndex(report.since)
  const [least, most] = [from - first, to - first]
  if (body.orders < least) {
    return `expected ${least} orders or more, counting those acknowledged before the request, got ${body.orders}`
  }
  if (!(body.orders <= most)) return `expected no more than ${most} orders, got ${JSON.stringify(body.orders)}`
  if (!Array.isArray(body.products) || body.products.length !== products.length) {
    return `expected ${products.length} products`
  }
  const counted = countIn(body)
  if (counted !== body.orders) {
    return `its rows count ${counted} orders, but the report says ${body.orders}: they aren’t of one moment`
  }
  const count = first + body.orders
  const newest = products.indexOf(model.orders[count - 1].product)
  for (const at of new Set([newest, ...places])) {
    const expected = expectedRow({ products, orders: model.orders }, report, at, count)
    if (!isDeepStrictEqual(body.products[at], expected)) {
      return `the row of ${products[at]} doesn’t belong to ${body.orders} orders: expected ` +
        `${JSON.stringify(expected)}, got ${JSON.stringify(body.products[at])}`
    }
  }
}

/** @param {Parameters<Stream>[0]} given @returns {Item} */
function write ({ random, data, model }) {
  const order = makeOrder(random, data.products)
  const expected = { id: orderId(model.orders.length), ...order }
  model.orders.push(expected)
  model.writing = true
  return {
    ...ordering(order),
    answered: ({ status }) => {
      // A write that failed stays "in flight": later reports may count it or not, and the check below tells.
      if (status !== 201) return
      model.acknowledged = model.orders.length
      model.writing = false
      model.again = [...model.asked]
    },
    check: shows(expected, 201)
  }
}

/** @param {unknown} expected JSON @param {number} [status] @returns {Item['check']} */
function shows (expected, status = 200) {
  return (answer) => {
    const wrong = headProblem(answer, status)
    if (wrong || isDeepStrictEqual(answer.json(), expected)) return wrong
    return `expected ${JSON.stringify(expected)}, got ${answer.text().slice(0, 80)}`
  }
}
