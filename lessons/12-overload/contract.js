import { setTimeout as sleep } from 'node:timers/promises'
import { makeOrder, quoteProblem, refusalProblem, sealOf } from './desk.js'

/**
 * @import { Given } from '../../runner/contract/index.js'
 * @import { Check } from '../../runner/lesson/index.js'
 * @import { Quote } from './desk.js'
 */

/**
 * What every correct quote server must do.
 *
 */

// Far more than a server may let wait, and a few that every server has to have room for.
const burst = 100
const leastRefused = 10
const atOnce = 6
// A server that measures how busy it was may still refuse for a moment.
const tries = 12
const pauseMs = 150
// A machine that stands still for a moment makes a crowd of a few, and may pull a crowd apart.
const fewTries = 5
const crowdTries = 2
const oneIn = 4

/** @type {Check[]} */
export const contract = [
  {
    name: 'answers GET /healthz with {"status":"ok"}',
    run: async ({ get }) => {
      (await get('/healthz')).expectStatus(200).expectType('application/json').expectJson({ status: 'ok' })
    }
  },
  {
    name: 'seals every quote together with the one before',
    run: async (given) => {
      let before = await addQuote(given)
      for (let i = 0; i < 2; i++) {
        const quote = await addQuote(given)
        expectNext(before, quote, given)
        before = quote
      }
    }
  },
  {
    name: 'shows a quote that is in the book',
    run: async (given) => {
      const quote = await addQuote(given);
      (await given.get(`/quotes/${quote.number}`)).expectStatus(200).expectType('application/json').expectJson(quote)
      const none = [String(quote.number + given.random.int(1000, 9000)), '0', given.random.word(5)]
      for (const number of none) {
        (await given.get(`/quotes/${number}`))
          .expectStatus(404)
          .expectType('application/json')
          .expectJson({ error: 'not_found' })
      }
    }
  },
  {
    name: 'refuses an order that is none, with 400',
    run: async (given) => {
      const { post, random, data } = given
      const before = await addQuote(given)
      const { product } = makeOrder(random, data)
      const orders = [
        { product: random.word(9), kilos: 1 },
        { product, kilos: 0 },
        { product, kilos: '3' },
        { product, kilos: 1.5 },
        { product, kilos: 100_001 },
        { product },
        {}
      ]
      for (const json of orders) {
        (await post('/quotes', { json }))
          .expectStatus(400)
          .expectType('application/json')
          .expectJson({ error: 'invalid_order' })
      }
      const broken = await post('/quotes', {
        headers: { 'content-type': 'application/json' },
        body: `{"product": "${product}"`
      })
      broken.expectStatus(400)
      expectNext(before, await addQuote(given), given)
    }
  },
  {
    name: `serves ${atOnce} who come at the same moment`,
    run: async (given) => {
      let served = 0
      for (let i = 0; i < fewTries; i++) {
        const quotes = await addTogether(given, atOnce)
        if (quotes.length === atOnce) return
        served = Math.max(served, quotes.length)
        await sleep(pauseMs)
      }
      given.fail(
        `POST /quotes: of ${atOnce} orders at the same moment, on a server that had nothing else to do, ${served} ` +
          'were served at best'
      )
    }
  },
  {
    name: `answers each of ${burst} who come at the same moment, with a quote or with 503 and Retry-After`,
    run: async (given) => {
      const before = await addQuote(given)
      const quotes = (await addTogether(given, burst)).sort((a, b) => a.number - b.number)
      const offset = given.random.int(1, oneIn)
      for (const [index, quote] of quotes.entries()) {
        const last = quotes[index - 1] ?? before
        if (quote.number === last.number) given.fail(`POST /quotes: two quotes got the number ${quote.number}`)
        // To make a seal costs the grader what it costs a server.
        expectNext(last, quote, given, { thorough: (index + offset) % oneIn === 0 })
      }
      const after = await addQuote(given)
      const last = quotes.at(-1) ?? before
      if (after.number !== last.number + 1) {
        given.fail(
          `POST /quotes: expected the number ${last.number + 1} after ${quotes.length} quotes and ` +
            `${burst - quotes.length} refusals, got ${after.number}`
        )
      }
      expectNext(last, after, given)
    }
  },
  {
    name: `sends at least ${leastRefused} away of ${burst} who come at the same moment on new connections`,
    run: async (given) => {
      let refused = 0
      for (let i = 0; i < (given.isBaseline ? 1 : crowdTries); i++) {
        refused = burst - (await addTogether(given, burst)).length
        if (refused >= leastRefused) return
      }
      given.fail(
        `POST /quotes: of ${burst} orders at the same moment, each on a new connection, ${refused} were refused; the ` +
          'others stood in line, wherever that was'
      )
    }
  },
  {
    name: 'answers 404 elsewhere',
    run: async ({ get, random }) => {
      for (const path of [`/${random.word(7)}`, '/quotes']) {
        (await get(path)).expectStatus(404).expectType('application/json').expectJson({ error: 'not_found' })
      }
    }
  }
]

/** One quote, from a server that has nothing else to do. @param {Given} given @returns {Promise<Quote>} */
async function addQuote (given) {
  for (let i = 0; i < tries; i++) {
    const [quote] = await addTogether(given, 1)
    if (quote) return quote
    await sleep(pauseMs)
  }
  return given.fail(
    'POST /quotes: a single order, on a server that has nothing else to do, was refused again and again'
  )
}

/** @param {Given} given @param {number} count @returns {Promise<Quote[]>} those that were not refused */
async function addTogether ({ post, random, data }, count) {
  const orders = Array.from({ length: count }, () => makeOrder(random, data))
  const answers = await Promise.all(orders.map((json) => post('/quotes', { json })))
  return answers.flatMap((answer, index) => {
    if (answer.status === 503) {
      const problem = refusalProblem(answer)
      if (problem) answer.fail(problem)
      return []
    }
    answer.expectStatus(201).expectType('application/json')
    const problem = quoteProblem(answer.json(), orders[index], data)
    if (problem) answer.fail(problem)
    return [answer.json()]
  })
}

/** @param {Quote} before @param {Quote} quote @param {Given} given @param {{ thorough?: boolean }} [options] */
function expectNext (before, quote, { fail }, { thorough = true } = {}) {
  if (quote.number !== before.number + 1) {
    fail(`POST /quotes: expected the number ${before.number + 1} after ${before.number}, got ${quote.number}`)
  }
  if (quote.previous !== before.seal) {
    fail(`POST /quotes: the quote ${quote.number} is not sealed together with the quote ${before.number}`)
  }
  if (thorough && quote.seal !== sealOf(quote)) {
    fail(`POST /quotes: the seal of the quote ${quote.number} is not the one that it should have`)
  }
}
