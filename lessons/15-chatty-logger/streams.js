import { isDeepStrictEqual } from 'node:util'
import { jsonType } from '../shared/answers.js'
import { brokenProduct, productAnswer } from './shop.js'

/**
 * @import { Item, Random, Stream } from '../../runner/lesson/index.js'
 *
 * @typedef {object} Model of one server's life
 * @property {string} tag begins every id
 * @property {number} sent
 * @property {number} before the number of the request that was answered last
 */

export const loadTag = 'load'

/** @returns {Model} */
export function makeModel () {
  return { tag: `${loadTag}-${Math.random().toString(36).slice(2, 8)}`, sent: 0, before: 0 }
}

/**
 * Each request says, in its id, which request was answered before it was sent: so the log itself tells whether a line
 * is missing or stands in the wrong place.
 *
 * @type {Stream}
 */
export function mixedStream ({ random, data, model }) {
  return () => {
    const number = ++model.sent
    const id = `${model.tag}-${number}-after-${model.before}`
    const { headers, ...request } = draw(random, data)
    return {
      ...request,
      headers: { 'x-request-id': id, ...headers },
      answered: () => { model.before = number },
      check (answer) {
        const wrong =
          answer.headers['x-request-id'] === id
            ? undefined
            : `X-Request-Id is ${answer.headers['x-request-id']} instead of the request’s ${id}`
        return wrong ?? request.check(answer)
      }
    }
  }
}

/**
 * @param {Random} random
 * @param {any} data
 * @returns {Item}
 */
function draw (random, data) {
  const kind = random.int(1, 100)
  if (kind <= 6) {
    const customer = random.pick(data.customers)
    const path = '/account'
    if (kind <= 2) {
      return expecting(path, 401, { error: 'unauthorised' }, { authorization: `Bearer ${random.word(20)}` })
    }
    return expecting(
      path,
      200,
      { name: customer.name, points: customer.points },
      { authorization: `Bearer ${customer.token}` }
    )
  }
  const product = kind === 7 ? brokenProduct(data) : random.pick(data.products)
  const { status, body } = productAnswer(kind === 8 ? undefined : product)
  return expecting(`/products/${kind === 8 ? random.int(1000, 9999) : product.id}?ref=${random.word(5)}`, status, body)
}

/**
 * @param {string} path
 * @param {number} status
 * @param {Record<string, unknown>} body
 * @param {Record<string, string>} [headers]
 * @returns {Item}
 */
function expecting (path, status, body, headers) {
  return {
    path,
    headers,
    check (answer) {
      if (answer.status !== status) return `expected status ${status}, got ${answer.status}`
      if (!jsonType.test(answer.headers['content-type'] ?? '')) {
        return `Content-Type is ${answer.headers['content-type']}`
      }
      try {
        if (isDeepStrictEqual(answer.json(), body)) return undefined
      } catch {}
      return `expected ${JSON.stringify(body)}, got another body`
    }
  }
}
