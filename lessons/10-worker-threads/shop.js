import { wholeNumber } from '../form/kinds.js'

/**
 * A shop with two thousand reports to choose from, made from a run's seed. A few reports are damaged: they start with
 * an order whose id has a letter O in place of a zero.
 *
 * @import { Random } from '../../runner/lesson/index.js'
 *
 * @typedef {object} Order
 * @property {string} id `A-10001`, counting up
 * @property {string} product
 * @property {number} quantity
 *
 * @typedef {object} Report what `GET /report/:n` has to compute
 * @property {number} id from 1
 * @property {string} since the id of the first order that counts
 * @property {number} seed of its draws, 32 bits, signed
 *
 * @typedef {object} Shop
 * @property {string[]} products
 * @property {Order[]} orders
 * @property {Report[]} reports
 * @property {number[]} damaged ids of the reports that cannot be computed
 */

const firstOrder = 10001
const mostProducts = 60
// Every product is in every round of orders, so each has a past, whichever order a report starts with.
const rounds = 40
const reportCount = 2000
const damagedCount = 5
// The lesson's text requests the first few by hand.
const neverDamaged = 100

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
  const damaged = random
    .shuffle(reports.slice(neverDamaged).filter(({ since }) => since.includes('0')))
    .slice(0, damagedCount)
  for (const report of damaged) report.since = report.since.replace('0', 'O')
  return { products, orders, reports, damaged: damaged.map(({ id }) => id) }
}

/** What tells the draws of a report's rows apart. @param {number} row from 1 */
export function seedOfRow (row) {
  return Math.imul(row, 0x9e3779b9)
}

/** @param {Random} random @param {string[]} products */
export function makeOrder (random, products) {
  return { product: random.pick(products), quantity: wholeNumber(random, 1, 1000) }
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
