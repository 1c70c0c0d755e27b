import { isDeepStrictEqual } from 'node:util'
import { headProblem, jsonIn } from '../shared/answers.js'
import { linkProblem, makeOrder, quoteProblem, refusalProblem, sealProblem } from './desk.js'

/**
 * @import { Stream } from '../../runner/lesson/index.js'
 * @import { Quote } from './desk.js'
 *
 * @typedef {object} Model what one server's book must hold
 * @property {Map<number, Quote>} quotes those that were answered, by number
 * @property {Quote[]} answered the same, in the order of their answers
 */

/**
 * Making a seal costs the grader what it costs a server, so only some are made again, and a server can't know which. Of
 * some 1300 quotes that a check gets, this makes 430 again: one in a hundred with fewer rounds is found by 99 checks of
 * a hundred.
 */
const oneIn = 3
/** One bystander in so many reads a quote. */
const readCount = 3

/** @returns {Model} */
export function newModel () {
  return { quotes: new Map(), answered: [] }
}

/**
 * Orders, each a different one.
 *
 * @type {Stream}
 */
export function quotes ({ random, data, model }) {
  return () => {
    const order = makeOrder(random, data)
    const thorough = random.int(1, oneIn) === 1
    /** @type {string | undefined} */
    let twice
    return {
      method: 'POST',
      path: '/quotes',
      json: order,
      refused: ({ status }) => status === 503,
      answered: (answer) => {
        if (answer.status !== 201) return
        const quote = jsonIn(answer)
        if (quoteProblem(quote, order, data)) return
        if (model.quotes.has(quote.number)) twice = `two quotes got the number ${quote.number}`
        model.quotes.set(quote.number, quote)
        model.answered.push(quote)
      },
      check: (answer) => {
        if (answer.status === 503) return refusalProblem(answer)
        if (answer.status !== 201) {
          return `expected status 201, or 503 when there’s too much to do, got ${answer.status}`
        }
        const wrongType = headProblem(answer, 201)
        if (wrongType) return wrongType
        const quote = answer.json()
        const before = model.quotes.get(quote?.number - 1)
        return (
          quoteProblem(quote, order, data) ??
          twice ??
          (before && linkProblem(before, quote)) ??
          (thorough ? sealProblem(quote) : undefined)
        )
      }
    }
  }
}

/**
 * The bystanders: the health check, and quotes that are in the book.
 *
 * @type {Stream}
 */
export function bystanders ({ random, model }) {
  let count = 0
  return () => {
    const isRead = count++ % readCount === 0 && model.answered.length > 0
    const quote = isRead ? random.pick(model.answered) : undefined
    const path = quote ? `/quotes/${quote.number}` : '/healthz'
    return {
      path,
      check: (answer) => {
        if (answer.status !== 200) {
          return `it costs next to nothing and should always be answered with 200, got ${answer.status}`
        }
        const wrongType = headProblem(answer)
        if (wrongType) return wrongType
        if (!isDeepStrictEqual(answer.json(), quote ?? { status: 'ok' })) {
          return `expected ${quote ? 'the quote as it was answered' : '{"status":"ok"}'}, got ` +
            `${answer.text().slice(0, 80)}`
        }
      }
    }
  }
}
