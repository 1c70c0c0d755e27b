import { leastBroken, notJson, oddNumbers, withMore, wrongBodies } from '../form/kinds.js'
import { countDrawn } from '../shared/answers.js'
import { makeOrder } from './desk.js'
import { bookFrom, whileAllWait, whileSomeLeave } from './trouble.js'

/**
 * @import { Operation, Random } from '../../runner/lesson/index.js'
 * @import { Desk } from './desk.js'
 */

/** What a quote has besides its order. */
const ofTheDesk = ['number', 'cents', 'previous', 'seal']

/** @type {Record<string, Operation>} */
export const operations = {
  healthz: { rule: 'answers GET /healthz with {"status":"ok"}', draw: () => ({ path: '/healthz' }) },
  quote: {
    rule: 'seals every quote together with the one before',
    effect: 'shows a quote in the book at once',
    touches: ['read'],
    weight: 4,
    draw: ({ random, data, past }) => {
      const order = makeOrder(random, data)
      const json = countDrawn(past('quote')) % 3 === 1 ? withMore(random, order, ofTheDesk) : order
      return { method: 'POST', path: '/quotes', json }
    },
    // After a pause of the whole machine, a server may think that it's busy.
    notNow: ({ status }) => status === 503
  },
  read: {
    rule: 'sends the quote of a number as it was answered',
    weight: 2,
    draw: ({ random, past, about }) => {
      const quotes = past('quote')
      if (quotes.length === 0) return null
      const quote = about ?? random.pick(quotes)
      return (answerOf) => ({ path: `/quotes/${answerOf(quote).json().number}` })
    }
  },
  none: {
    rule: 'answers 404 for a quote that isn’t in the book',
    least: 8,
    odd: true,
    draw: ({ random, past }) => {
      const numbers = [...oddNumbers(random, 1), random.word(5), random.int(1000, 9000)]
      return { path: `/quotes/${numbers[countDrawn(past('none')) % numbers.length]}` }
    }
  },
  leavers: {
    rule: 'leaves no gap in the book when a client disconnects',
    weight: 0.01,
    draw: inTrouble(whileSomeLeave, 'the book, after nine orders at once, of which three disconnected, and some more')
  },
  waiters: {
    rule: 'leaves no trace of requests that it refused, even of many at once',
    weight: 0.01,
    draw: inTrouble(whileAllWait,
      'the book, after six orders at once, sent with very many requests to /healthz, and some more')
  },
  refuse: {
    rule: 'refuses an invalid order with 400',
    effect: 'leaves no trace of a refused request in the book',
    touches: ['quote'],
    draw: ({ random, data }) => ({ method: 'POST', path: '/quotes', json: random.pick(noOrders(random, data)) })
  },
  broken: {
    rule: 'refuses a body that isn’t JSON',
    effect: 'leaves no trace of a refused request in the book',
    touches: ['quote'],
    weight: 0.5,
    least: leastBroken,
    loose: true,
    draw: ({ random, data, past }) => ({
      method: 'POST',
      path: '/quotes',
      headers: { 'content-type': 'application/json' },
      body: notJson(makeOrder(random, data), countDrawn(past('broken')))
    })
  }
}

/**
 * It adds quotes, but isn't a write to the engine: no write may come in between. It's done once; later looks see the
 * same part of the book.
 *
 * @param {typeof whileAllWait} cause
 * @param {string} says
 * @returns {Operation['draw']}
 */
function inTrouble (cause, says) {
  return ({ random, data }) => {
    const order = makeOrder(random, data)
    /** @type {WeakMap<object, ReturnType<typeof cause>>} */
    const caused = new WeakMap()
    return {
      look: async (server) => {
        const trouble = caused.get(server) ?? cause(server.origin, order)
        caused.set(server, trouble)
        const { first, undelivered } = await trouble
        return { undelivered, book: await bookFrom(server.origin, first) }
      },
      says
    }
  }
}

/** Orders that are invalid. @param {Random} random @param {Desk} desk */
export function noOrders (random, desk) {
  const order = makeOrder(random, desk)
  return [...wrongBodies(random, order, { product: 'key', kilos: 'number' }), { ...order, kilos: 100_001 }]
}
