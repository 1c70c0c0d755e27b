import http from 'node:http'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { byMoment, refusesAll } from '../form/index.js'
import { inBatches } from '../shared/batches.js'
import { expectEnd } from '../shared/ends.js'
import { noOrders } from './operations.js'
import { countIn, expectedRow, makeOrder, orderId, orderIndex, someReport } from './shop.js'

/**
 * What the slow server can't show: it has one thread, and none that could be lost.
 *
 * @import { Given } from '../../runner/contract/index.js'
 */

/** Sooner than a report is there. */
const leaveMs = 10
// Enough to reach more than one thread of any pool; fewer than the connections of the load.
const atOnce = 4
// More than the threads of most pools: a server that doesn't replace lost ones runs out.
const failures = 6
// More than any limit that looks generous, with the largest orders that a product can have: one in so many, …
const [many, oneInMany] = [2200, 8]
// … then a few, which hardly change a product’s past, and change nearly every draw from it.
const few = 10
/** More reports at once than a load has: each is computed from all futures, however many wait. */
const crowd = 28
/** How often orders arrive one after the other while reports are computed. */
const [streams, mostInStream] = [3, 150]
/** Clients of the load keep their connections as well: a single report comes on one that is in use for a while. */
const connected = new http.Agent({ keepAlive: true, maxSockets: 1 })
/** Until a report that was requested is being computed; far less than it costs. */
const arrivalMs = 2
/** So many orders, one after the other, come while a thread dies and another one starts. */
const ordersInTurn = 12

const refuses = refusesAll({
  name: 'refuses an invalid order with 400',
  path: '/orders',
  bodies: ({ random, data }) => noOrders(random, data.products),
  sees: async (given) => `a report counts ${await countOrders(given)} orders`
})

export const contract = byMoment({
  always: {
    'counts every order, whichever thread computes the report, even after others have failed': async (given) => {
      const { get, post, random, data, fail } = given
      let total = await countOrders(given)
      const fails = async () => (await get(`/report/${random.pick(data.damaged)}`)).expectStatus(500)
      // None of them waits for a thread that dies, and one that starts misses none.
      const addInTurn = async () => {
        for (let added = 0; added < ordersInTurn; added++) {
          (await post('/orders', { json: makeOrder(random, data.products), agent: connected })).expectStatus(201)
          total++
          await sleep(arrivalMs)
        }
      }
      // Each thread gets one of them.
      const ids = someIds(given, atOnce + availableParallelism())
      for (const count of [1, failures]) {
        await Promise.all([...Array.from({ length: count }, fails), addInTurn()])
        // Some pools start a thread when there’s a report for it.
        await Promise.all([totals(get, ids), addInTurn()])
        // Those behind it in a thread’s queue are computed all the same.
        const parts = [totals(get, ids.slice(0, atOnce)), fails().then(() => []), totals(get, ids.slice(atOnce))]
        const seen = (await Promise.all(parts)).flat()
        const wrong = seen.findIndex((one) => one !== total)
        if (wrong !== -1) {
          fail(`GET /report/${ids[wrong]}: of the shop’s ${total} orders, this report counts ${seen[wrong]}`)
        }
      }
    },
    'answers each of many orders with its own id, and counts them all': async (given) => {
      const { get, post, random, data, fail } = given
      const before = await countOrders(given)
      const [order, other] = [makeOrder(random, data.products), makeOrder(random, data.products)]
      // Threads that are computing learn of an order late.
      const busy = totals(get, someIds(given, atOnce))
      busy.catch(() => {})
      const orders = [order, order, other, order]
      const answers = await Promise.all(orders.map((json) => post('/orders', { json, chunked: true })))
      const made = answers.map((answer) => answer.expectStatus(201).json())
      const ids = made.map(({ id }) => id).sort()
      const wanted = orders.map((_, at) => orderId(before + at)).sort()
      if (!isDeepStrictEqual(ids, wanted)) {
        fail(`POST /orders, ${orders.length} at once: expected the ids ${wanted.join(', ')}, got ${ids.join(', ')}`)
      }
      const wrong = made.findIndex(({ id, ...rest }, at) => !isDeepStrictEqual(rest, orders[at]))
      if (wrong !== -1) answers[wrong].fail(`expected ${JSON.stringify(orders[wrong])} with its id`)
      await busy
      const after = await countOrders(given)
      if (after !== before + orders.length) fail(`of ${before + orders.length} orders, a report counts ${after}`)
    },
    'counts an order that came in while the same report was being computed': async (given) => {
      const { get, post, random, data, fail } = given
      // Being computed, or in a queue when all threads are busy.
      for (const others of [0, 0, 0, 0, 0, 0, 0, 0, atOnce]) {
        const { id } = someReport(random, data)
        const early = totals(get, [...someIds(given, others), id], {})
        early.catch(() => {})
        await sleep(arrivalMs)
        const added = await post('/orders', { json: makeOrder(random, data.products) })
        const wanted = orderIndex(added.expectStatus(201).json().id) + 1
        const [total] = await totals(get, [id])
        await early
        if (total !== wanted) {
          fail(`GET /report/${id}, again: of the shop’s ${wanted} orders, this report counts ${total}`)
        }
      }
    }
  },
  before: {
    [refuses.name]: refuses.run,
    'shows the orders of one moment, even while others come in': async (given) => {
      const { get, post, random, data } = given
      for (let i = 0; i < streams; i++) {
        let isOver = false
        const reports = totals(get, someIds(given, 2 * atOnce)).finally(() => { isOver = true })
        reports.catch(() => {})
        for (let sent = 0; sent < mostInStream; sent++) {
          if (isOver) break
          await post('/orders', { json: makeOrder(random, data.products) })
        }
        await reports
      }
    }
  },
  apart: {
    'counts every order, however many there are': async ({ another, random, data, fail }) => {
      const { get, post } = await another()
      const { products } = data
      const orders = [...data.orders]
      const [popular, report] = [random.pick(products), someReport(random, data)]
      // Each thread of most pools has kept what it may keep when the few come.
      const askers = Math.max(atOnce, availableParallelism())
      for (const count of [many, few]) {
        const sent = Array.from({ length: count }, (_, at) => count === many && at % oneInMany === 0
          ? { product: popular, quantity: 1000 }
          : makeOrder(random, products))
        await inBatches({ count, atOnce: Math.min(count, 50) }, async (at, agent) => {
          const { id } = (await post('/orders', { json: sent[at], agent })).expectStatus(201).json()
          if (orders[orderIndex(id)]) fail(`one of ${count} orders got the same id as an earlier one: ${id}`)
          orders[orderIndex(id)] = { id, ...sent[at] }
        })
        const shown = [popular, ...sent.slice(-few).map(({ product }) => product)]
        const rows = shown.map((product) => products.indexOf(product))
        const others = Array.from({ length: count === few ? crowd : 0 }, () => someReport(random, data))
        const asked = [...Array(askers).fill(report), ...others]
        const reports = await reportsOf(get, asked.map(({ id }) => id))
        for (const [at, { since, orders: counted, products: all }] of reports.entries()) {
          const wanted = rows.map((row) => expectedRow({ products, orders }, asked[at], row, orders.length))
          const total = orderIndex(since) + counted
          if (total !== orders.length) fail(`of ${orders.length} orders, a report counts ${total}`)
          const wrong = rows.findIndex((row, at) => !isDeepStrictEqual(all[row], wanted[at]))
          if (wrong === -1) continue
          const [expected, got] = [wanted[wrong], all[rows[wrong]]].map((row) => JSON.stringify(row))
          fail(`GET /report/${asked[at].id}, after ${count} orders more: expected ${expected}, got ${got}`)
        }
      }
    },
    'exits on SIGTERM, along with every process that it has started': (given) =>
      expectEnd(given, async ({ get, send }) => {
        await Promise.allSettled(someIds(given, atOnce).map((id) => send({ path: `/report/${id}`, leaveMs })))
        await totals(get, someIds(given, atOnce))
      })
  }
})

/** Numbers of reports that can be computed. @param {Pick<Given, 'random' | 'data'>} given @param {number} count */
function someIds ({ random, data }, count) {
  return Array.from({ length: count }, () => someReport(random, data).id)
}

/** How many orders the shop has, according to any report. @param {Given} given @returns {Promise<number>} */
async function countOrders (given) {
  return (await totals(given.get, someIds(given, 1)))[0]
}

/** The same according to reports that are requested at the same moment. @param {Parameters<typeof reportsOf>} asked */
async function totals (...asked) {
  return (await reportsOf(...asked)).map(({ since, orders }) => orderIndex(since) + orders)
}

/**
 * @param {Given['get']} get @param {number[]} numbers
 * @param {{ agent?: http.Agent }} [on] default: a connection for each, unless there is one number
 */
function reportsOf (get, numbers, on = numbers.length === 1 ? { agent: connected } : {}) {
  return Promise.all(numbers.map(async (n) => {
    const answer = (await get(`/report/${n}`, on)).expectStatus(200)
    const report = answer.json()
    if (report.report !== n) answer.fail(`expected the report ${n}, got ${JSON.stringify(report.report)}`)
    const counted = countIn(report)
    if (counted !== report.orders) answer.fail(`its rows count ${counted} orders, but the report says ${report.orders}`)
    return report
  }))
}
