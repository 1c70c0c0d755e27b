import { isDeepStrictEqual } from 'node:util'
import { jsonType } from '../shared/answers.js'
import { numbered } from '../shared/log-file.js'
import { inputs } from './operations.js'
import { productAnswer } from './shop.js'

/** @import { Stream } from '../../runner/lesson/index.js' */

/** Of the requests, which have no X-Request-Id. */
const namelessShare = 0.1
const mix = [...Array(91).fill('product'), 'broken', 'unknown', ...Array(5).fill('account'), 'stranger', 'stranger']

/** @type {Stream} */
export function mixedStream ({ random, data, model }) {
  return () => {
    const kind = random.pick(mix)
    const { path, headers } = inputs[kind](random, data)
    const { status, body } = kind === 'account' || kind === 'stranger'
      ? accountAnswer(data, headers)
      : productAnswer(productAt(data, path))
    const item = numbered(model, { path, headers, check: () => undefined }, { inUrl: random.next() < namelessShare })
    const id = item.headers?.['x-request-id']
    return {
      ...item,
      check (answer) {
        const { 'x-request-id': got, 'content-type': type = '' } = answer.headers
        if (id === undefined ? !got : got !== id) return `X-Request-Id is ${got} instead of ${id ?? 'a new one'}`
        if (answer.status !== status) return `expected status ${status}, got ${answer.status}`
        if (!jsonType.test(type)) return `Content-Type is ${type}`
        try {
          if (isDeepStrictEqual(answer.json(), body)) return undefined
        } catch {}
        return `expected ${JSON.stringify(body)}, got another body`
      }
    }
  }
}

/** @param {any} data @param {string} path */
export function productAt ({ products }, path) {
  const [, id] = /^\/products\/([^?]*)/.exec(path) ?? []
  return products.find((/** @type {any} */ product) => String(product.id) === id)
}

/** @param {any} data @param {Record<string, string>} [headers] */
function accountAnswer ({ customers }, { authorization } = {}) {
  const customer = customers.find((/** @type {any} */ { token }) => authorization === `Bearer ${token}`)
  if (!customer) return { status: 401, body: { error: 'unauthorised' } }
  return { status: 200, body: { name: customer.name, points: customer.points } }
}
