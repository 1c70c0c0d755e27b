import { orderIndex, seedOfRow } from './shop.js'

/**
 * What a row of a report must say. One row costs a sixtieth of a report, so that every response under load can be
 * checked in a few places that the server can't foresee.
 *
 * @import { Order, Report } from './shop.js'
 */

const futures = 400
const ordersAhead = 120

/**
 * @param {{ products: string[], orders: Order[] }} shop
 * @param {Report} report
 * @param {number} row which product
 * @param {number} count how many of the shop's orders exist for this report
 */
export function expectedRow ({ products, orders }, report, row, count) {
  const product = products[row]
  /** @type {number[]} */
  const past = []
  for (let i = orderIndex(report.since); i < count; i++) {
    if (orders[i].product === product) past.push(orders[i].quantity)
  }
  const draw = xorshift32(report.seed ^ seedOfRow(row + 1))
  const totals = Int32Array.from({ length: futures }, () => {
    let total = 0
    for (let i = 0; i < ordersAhead; i++) total += past[draw() % past.length]
    return total
  }).sort()
  return { product, orders: past.length, likely: totals[futures / 2], stock: totals[futures * 19 / 20] }
}

/**
 * George Marsaglia, Xorshift RNGs, Journal of Statistical Software 8 (2003), the triple 13, 17, 5.
 *
 * @param {number} seed
 * @returns {() => number} whole, from 1 to 2³² − 1
 */
function xorshift32 (seed) {
  let state = seed || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}
