import { wholeNumber } from '../form/kinds.js'

/**
 * A shop with two thousand reports to choose from, made from a run's seed. A few reports are damaged: they start with
 * an order whose id has a letter O in place of a zero.
 *
 * @import { Random } from '../../runner/lesson/index.js'
 *
 * @typedef {{ id: string, product: string, quantity: number }} Order id: `A-10001`, counting up
 *
 * What `GET /report/:n` has to compute. id: from 1; since: the id of the first order that counts; seed: of its draws,
 * 32 bits, signed.
 * @typedef {{ id: number, since: string, seed: number }} Report
 *
 * @typedef {{ products: string[], orders: Order[], reports: Report[], damaged: number[] }} Shop damaged: ids of the
 *   reports that cannot be computed
 */

const firstOrder = 10001
const mostProducts = 60
// Every product is in every round of orders, so each has a past, whichever order a report starts with.
const rounds = 40
const reportCount = 2000
const damagedCount = 5
// The lesson's text requests the first few by hand.
const neverDamaged = 100
/** Of each row, and how many orders each looks ahead. */
const [futures, ordersAhead] = [400, 120]

/**
 * @param {Random} random
 * @param {number} [speed] of a core, 1 or less: the slower it is, the fewer products a report is about
 * @returns {Shop}
 */
export function makeShop (random, speed = 1) {
  const productCount = Math.round(mostProducts * speed)
  const products = Array.from({ length: productCount }, (_, index) => `${random.word(2).toUpperCase()}-${100 + index}`)
  const bought = Array.from({ length: rounds }, () => random.shuffle(products)).flat()
  const orders = bought.map((product, index) => ({ id: orderId(index), product, quantity: random.int(1, 24) }))
  const reports = Array.from({ length: reportCount }, (_, index) => ({
    id: index + 1,
    since: orderId(random.int(0, orders.length / 2)),
    // In every other report, the state of one product's draws would begin with 0.
    seed: index % 2 === 0 ? random.int(-(2 ** 31), 2 ** 31 - 1) : seedOfRow(random.int(1, productCount))
  }))
  const withZero = reports.slice(neverDamaged).filter(({ since }) => since.includes('0'))
  const damaged = random.shuffle(withZero).slice(0, damagedCount)
  for (const report of damaged) report.since = report.since.replace('0', 'O')
  return { products, orders, reports, damaged: damaged.map(({ id }) => id) }
}

/** What tells the draws of a report's rows apart. @param {number} row from 1 */
function seedOfRow (row) {
  return Math.imul(row, 0x9e3779b9)
}

/** @param {Random} random @param {string[]} products */
export function makeOrder (random, products) {
  return { product: random.pick(products), quantity: wholeNumber(random, 1, 1000) }
}

/** @param {unknown} json an order */
export function ordering (json) {
  return { method: 'POST', path: '/orders', json }
}

/** One that can be computed. @param {Random} random @param {Shop} shop @returns {Report} */
export function someReport (random, { reports, damaged }) {
  for (;;) {
    const report = random.pick(reports)
    if (!damaged.includes(report.id)) return report
  }
}

/** @param {number} index from 0 */
export function orderId (index) {
  return `A-${firstOrder + index}`
}

/** @param {string} id @returns {number} from 0 */
export function orderIndex (id) {
  return Number(id.slice(2)) - firstOrder
}

/**
 * What a row of a report must say. One row costs a sixtieth of a report, so that every response under load can be
 * checked in a few places that the server can't foresee.
 *
 * @param {{ products: string[], orders: Order[] }} shop
 * @param {Report} report
 * @param {number} row which product
 * @param {number} count how many of the shop's orders exist for this report
 */
export function expectedRow ({ products, orders }, report, row, count) {
  const product = products[row]
  const past = orders.slice(orderIndex(report.since), count)
    .flatMap((order) => order.product === product ? order.quantity : [])
  const draw = xorshift32(report.seed ^ seedOfRow(row + 1))
  const totals = Int32Array.from({ length: futures }, () => {
    let total = 0
    for (let i = 0; i < ordersAhead; i++) total += past[draw() % past.length]
    return total
  }).sort()
  return { product, orders: past.length, likely: totals[futures / 2], stock: totals[futures * 19 / 20] }
}

/** The orders that the rows of a report count together. @param {{ products: any[] }} report @returns {number} */
export function countIn ({ products }) {
  return products.reduce((sum, row) => sum + row?.orders, 0)
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
