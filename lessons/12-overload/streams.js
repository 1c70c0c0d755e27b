import { isDeepStrictEqual } from 'node:util'
import { headProblem, jsonIn } from '../shared/answers.js'
import { makeOrder, orderProblem, quoteProblem, sealProblem } from './desk.js'

/**
 * The model of a server is what its book must hold: the quotes that were answered, by number.
 *
 * @import { Stream } from '../../runner/lesson/index.js'
 */

/**
 * Making a seal costs the grader what it costs a server, so only some are made again, and a server can't know which. Of
 * some 1300 quotes that a check gets, this makes 430 again: one in a hundred with fewer rounds is found by 99 checks of
 * a hundred.
 */
const oneIn = 3
/** One bystander in so many reads a quote. */
const readCount = 3

/** Orders, each a different one. @type {Stream} */
export function quotes ({ random, data, model }) {
  return () => {
    const order = makeOrder(random, data)
    const isThorough = random.int(1, oneIn) === 1
    /** @type {string | undefined} */
    let twice
    return {
      method: 'POST',
      path: '/quotes',
      json: order,
      refused: ({ status }) => status === 503,
      answered: (answer) => {
        const quote = answer.status === 201 ? jsonIn(answer) : undefined
        if (quoteProblem(quote, order, data)) return
        if (model.has(quote.number)) twice = `two quotes got the number ${quote.number}`
        model.set(quote.number, quote)
      },
      check: (answer) => {
        const problem = orderProblem(answer, order, data)
        if (problem || answer.status === 503) return problem
        const quote = answer.json()
        return twice ?? sealProblem(quote, { before: model.get(quote.number - 1), isThorough })
      }
    }
  }
}

/** The bystanders: the health check, and quotes that are in the book. @type {Stream} */
export function bystanders ({ random, model }) {
  let count = 0
  return () => {
    const known = count++ % readCount === 0 ? [...model.values()] : []
    const quote = known.length > 0 ? random.pick(known) : undefined
    return {
      path: quote ? `/quotes/${quote.number}` : '/healthz',
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
