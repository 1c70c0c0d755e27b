import { isDeepStrictEqual } from 'node:util'
import { cartOf, pricesOf, recommendationsOf, reviewsOf, stockOf, userOf } from './services.js'

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
  const user = userOf(shop, requestId, userId)
  if (!user) throw new Error(`there is no user ${userId}`)
  const cart = cartOf(shop, requestId, user.cart)
  const products = cart.items.map(({ product }) => product)
  const prices = pricesOf(shop, requestId, user.region, products)
  const stock = stockOf(shop, requestId, products)
  const reviews = reviewsOf(shop, requestId, products)
  return {
    user: { id: user.id, name: user.name, points: user.points },
    cart: {
      id: cart.id,
      lines: cart.items.map(({ product, quantity }) => ({
        product,
        quantity,
        price: prices[product],
        stock: stock[product],
        reviews: reviews[product]
      })),
      total: cart.items.reduce((sum, { product, quantity }) => sum + quantity * prices[product], 0)
    },
    recommendations: recommendationsOf(shop, requestId, user.segment).products
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
  const part = partsOf(expected).find(([name, value]) => !isDeepStrictEqual(value, new Map(partsOf(page)).get(name)))
  if (!part) return `expected the keys ${Object.keys(expected).join(', ')}, got ${Object.keys(page ?? {}).join(', ')}`
  return `the ${part[0]} are not what the upstream said for this page: expected ${brief(part[1])}, got ` +
    `${brief(new Map(partsOf(page)).get(part[0]))}`
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

/** @param {any} page @returns {[string, any][]} by the service that they come from */
function partsOf (page) {
  const lines = Array.isArray(page?.cart?.lines) ? page.cart.lines : []
  const each = (/** @type {(line: any) => any} */ pick) => lines.map((/** @type {any} */ line) => pick(line ?? {}))
  return [
    ['details of the user', page?.user],
    ['items of the cart', [page?.cart?.id, ...each(({ product, quantity }) => [product, quantity])]],
    ['recommendations', page?.recommendations],
    ['prices', [page?.cart?.total, ...each(({ price }) => price)]],
    ['figures of the stock', each(({ stock }) => stock)],
    ['reviews', each(({ reviews }) => reviews)]
  ]
}

/** @param {unknown} value */
function brief (value) {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
