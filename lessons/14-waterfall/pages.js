import { isDeepStrictEqual } from 'node:util'
import { saidFor } from './services.js'

/**
 * @import { Answer } from '../../runner/contract/index.js'
 * @import { Shop } from './services.js'
 */

/**
 * The page of a user, as it must be when every call carried this request id.
 *
 * @param {Shop} shop @param {string} requestId @param {string} userId
 */
function pageOf (shop, requestId, userId) {
  const says = saidFor(shop, requestId)
  const user = says.users({ name: userId })
  if (!user) throw new Error(`there is no user ${userId}`)
  const { id, items } = says.carts({ name: user.cart })
  const asked = { ...user, products: items.map(({ product }) => product) }
  const [prices, stock, reviews] = [says.prices(asked), says.stock(asked), says.reviews(asked)]
  return {
    user: { id: user.id, name: user.name, points: user.points },
    cart: {
      id,
      lines: items.map(({ product, quantity }) =>
        ({ product, quantity, price: prices[product], stock: stock[product], reviews: reviews[product] })),
      total: items.reduce((sum, { product, quantity }) => sum + quantity * prices[product], 0)
    },
    recommendations: says.recommendations(asked).products
  }
}

/**
 * What is wrong with a page, in one sentence.
 *
 * @param {Shop} shop @param {string} requestId @param {string} userId @param {any} page
 */
export function pageProblem (shop, requestId, userId, page) {
  const expected = pageOf(shop, requestId, userId)
  if (isDeepStrictEqual(page, expected)) return
  const [wanted, got] = [partsOf(expected), partsOf(page)]
  const wrong = Object.keys(wanted).find((part) => !isDeepStrictEqual(wanted[part], got[part]))
  if (!wrong) return `expected the keys ${Object.keys(expected).join(', ')}, got ${Object.keys(page ?? {}).join(', ')}`
  return `the ${wrong} are not what the upstream said for this page: expected ${brief(wanted[wrong])}, got ` +
    brief(got[wrong])
}

/**
 * Whose page it is; the rest of it follows from an id that can't be foretold.
 *
 * @param {Answer} answer
 * @param {{ data: any }} given
 */
export function pageOfItsOwn (answer, { data }) {
  const page = answer.json()
  if (answer.status !== 200) return page
  const said = answer.headers['x-request-id'] ?? ''
  if (!/^[\w-]{8,64}$/.test(said)) throw new Error(`its X-Request-Id is ${said || 'missing'}`)
  const userId = page?.user?.id
  if (!data.users.some((/** @type {{ id: string }} */ { id }) => id === userId)) return page
  const problem = pageProblem(data, said, userId, page)
  if (problem) throw new Error(problem)
  return userId
}

/** @param {any} page @returns {Record<string, unknown>} by the service that they come from */
function partsOf (page) {
  const lines = Array.isArray(page?.cart?.lines) ? page.cart.lines : []
  const each = (/** @type {(line: any) => any} */ pick) => lines.map((/** @type {any} */ line) => pick(line ?? {}))
  return {
    'details of the user': page?.user,
    'items of the cart': [page?.cart?.id, ...each(({ product, quantity }) => [product, quantity])],
    recommendations: page?.recommendations,
    prices: [page?.cart?.total, ...each(({ price }) => price)],
    'figures of the stock': each(({ stock }) => stock),
    reviews: each(({ reviews }) => reviews)
  }
}

/** @param {unknown} value */
function brief (value) {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
