import { hash } from 'node:crypto'
import { headProblem } from '../shared/answers.js'

/**
 * The trading desk behind this lesson: what each product costs, and what's in the book before the first quote.
 *
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { LoadAnswer, Random } from '../../runner/lesson/index.js'
 *
 * @typedef {{ opening: string, prices: Record<string, number> }} Desk prices: cents for a kilo, by product
 * @typedef {{ product: string, kilos: number }} Order
 * @typedef {{ number: number, product: string, kilos: number, cents: number, previous: string, seal: string }} Quote
 */

const rounds = 16_000
const productCount = 40
const [mostKilos, fewKilos] = [100_000, 1000]

/** @param {Random} random @returns {Desk} */
export function makeDesk (random) {
  const drawn = Array.from({ length: productCount - 1 }, (_, index) => `${random.word(6)}-${index}`)
  // The first is fixed, so that order.json can be sent to any server.
  const products = ['robusta', ...drawn]
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

/**
 * What is wrong with a seal. Making it costs as much here as it costs a server.
 *
 * @param {Quote} quote
 * @param {{ before?: Quote, isThorough?: boolean }} [look] before: the quote before it; isThorough: make the seal
 */
export function sealProblem ({ number, product, kilos, cents, previous, seal }, { before, isThorough = true } = {}) {
  if (before && previous !== before.seal) {
    return `the quote ${number} isn’t sealed together with the quote ${before.number}`
  }
  if (!isThorough) return
  let expected = hash('sha256', `${number} ${product} ${kilos} ${cents} ${previous}`)
  for (let i = 1; i < rounds; i++) expected = hash('sha256', expected)
  if (seal !== expected) return `the seal of the quote ${number} is wrong`
}

/** What is wrong with a quote, the seal aside. @param {any} quote @param {Order} order @param {Desk} desk */
export function quoteProblem (quote, { product, kilos }, { prices }) {
  const fields = 'cents, kilos, number, previous, product, seal'
  if (Object.keys(quote ?? {}).sort().join(', ') !== fields) return `expected an object with ${fields}`
  if (quote.product !== product || quote.kilos !== kilos) {
    return `expected a quote for ${kilos} kilos of ${product}, got one for ${quote.kilos} of ${quote.product}`
  }
  if (quote.cents !== kilos * prices[product]) return `expected ${kilos * prices[product]} cents, got ${quote.cents}`
  if (!Number.isInteger(quote.number) || quote.number < 1) {
    return `expected a whole number from 1, got ${JSON.stringify(quote.number)}`
  }
  const wrong = ['previous', 'seal'].find((field) => !/^[0-9a-f]{64}$/.test(quote[field]))
  if (wrong) return `expected 64 hex digits as ${wrong}, got ${JSON.stringify(quote[wrong])}`
}

/**
 * What is wrong with the answer to this order, the seal aside.
 *
 * @param {Answer | LoadAnswer} answer
 * @param {Order} order
 * @param {Desk} desk
 * @returns {string | undefined}
 */
export function orderProblem (answer, order, desk) {
  const { status, headers: { 'retry-after': after, 'content-type': type = 'missing' } } = answer
  if (status !== 503) {
    return status === 201
      ? headProblem(answer, 201) ?? quoteProblem(answer.json(), order, desk)
      : `expected status 201, or 503 when there’s too much to do, got ${status}`
  }
  if (after === undefined) return 'it was refused without Retry-After'
  if (!/^[1-9]\d{0,4}$/.test(after)) return `Retry-After should be a whole number of seconds, 1 or more, got ${after}`
  if (!/^application\/json\b/i.test(type)) return `it was refused with the Content-Type ${type}`
  if (answer.json()?.error !== 'overloaded') return 'it was refused with a body other than {"error":"overloaded"}'
}
