import { hash } from 'node:crypto'

/**
 * The trading desk behind this lesson: what each product costs, and what's in the book before the first quote.
 *
 * @import { Random } from '../../runner/lesson/index.js'
 *
 * @typedef {object} Desk
 * @property {string} opening
 * @property {Record<string, number>} prices cents for a kilo, by product
 *
 * @typedef {{ product: string, kilos: number }} Order
 * @typedef {{ number: number, product: string, kilos: number, cents: number, previous: string, seal: string }} Quote
 */

const rounds = 16_000
// Fixed, so that order.json can be sent to any server.
const fixedProduct = 'robusta'
const productCount = 40
const mostKilos = 100_000
const fewKilos = 1000

/** @param {Random} random @returns {Desk} */
export function makeDesk (random) {
  const drawn = Array.from({ length: productCount - 1 }, (_, index) => `${random.word(6)}-${index}`)
  const products = [fixedProduct, ...drawn]
  return {
    opening: random.bytes(32).toString('hex'),
    prices: Object.fromEntries(products.map((product) => [product, random.int(300, 4000)]))
  }
}

/** @param {Random} random @param {Desk} desk @returns {Order} */
export function makeOrder (random, { prices }) {
  const most = random.pick([mostKilos, mostKilos, fewKilos])
  const kilos = random.int(1, 10) === 1 ? random.pick([1, most]) : random.int(1, most)
  return { product: random.pick(Object.keys(prices)), kilos }
}

/** Making a seal costs as much here as it costs a server. @param {Quote} quote @returns {string | undefined} */
export function sealProblem ({ number, product, kilos, cents, previous, seal }) {
  let expected = hash('sha256', `${number} ${product} ${kilos} ${cents} ${previous}`)
  for (let i = 1; i < rounds; i++) expected = hash('sha256', expected)
  return seal === expected ? undefined : `the seal of the quote ${number} is wrong`
}

/** @param {Quote} before @param {Quote} quote @returns {string | undefined} */
export function linkProblem (before, quote) {
  return quote.previous === before.seal
    ? undefined
    : `the quote ${quote.number} isn’t sealed together with the quote ${before.number}`
}

/**
 * What is wrong with a quote for this order, the seal aside.
 *
 * @param {any} quote
 * @param {Order} order
 * @param {Desk} desk
 * @returns {string | undefined}
 */
export function quoteProblem (quote, { product, kilos }, { prices }) {
  const fields = ['cents', 'kilos', 'number', 'previous', 'product', 'seal']
  if (typeof quote !== 'object' || quote === null || Object.keys(quote).sort().join() !== fields.join()) {
    return `expected an object with ${fields.join(', ')}`
  }
  if (quote.product !== product || quote.kilos !== kilos) {
    return `expected a quote for ${kilos} kilos of ${product}, got one for ${quote.kilos} of ${quote.product}`
  }
  if (quote.cents !== kilos * prices[product]) return `expected ${kilos * prices[product]} cents, got ${quote.cents}`
  if (!Number.isInteger(quote.number) || quote.number < 1) {
    return `expected a whole number from 1, got ${JSON.stringify(quote.number)}`
  }
  for (const field of ['previous', 'seal']) {
    if (!/^[0-9a-f]{64}$/.test(quote[field])) {
      return `expected 64 hex digits as ${field}, got ${JSON.stringify(quote[field])}`
    }
  }
}

/**
 * What is wrong with a refusal.
 *
 * @param {{ headers: Record<string, string>, json: () => any }} answer with status 503
 * @returns {string | undefined}
 */
export function refusalProblem (answer) {
  const { headers } = answer
  const after = headers['retry-after']
  if (after === undefined) return 'it was refused without Retry-After'
  if (!/^[1-9]\d{0,4}$/.test(after)) return `Retry-After should be a whole number of seconds, 1 or more, got ${after}`
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    return `it was refused with the Content-Type ${headers['content-type'] ?? 'missing'}`
  }
  if (answer.json()?.error !== 'overloaded') return 'it was refused with a body other than {"error":"overloaded"}'
}
