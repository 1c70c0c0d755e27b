import { ask } from './upstream.js'

/** What each part of a page needs, and how it is asked for. Each is asked for once, as soon as it can be. */
const parts = {
  user: { needs: [], call: ({ id }) => ['users', `/${encodeURIComponent(id)}`] },
  cart: { needs: ['user'], call: (_, user) => ['carts', `/${user.cart}`] },
  recommendations: { needs: ['user'], call: (_, user) => ['recommendations', `?segment=${user.segment}`] },
  prices: {
    needs: ['user', 'cart'],
    call: (_, user, cart) => ['prices', `?region=${user.region}&products=${productsOf(cart)}`]
  },
  stock: { needs: ['cart'], call: (_, cart) => ['stock', `?products=${productsOf(cart)}`] },
  reviews: { needs: ['cart'], call: (_, cart) => ['reviews', `?products=${productsOf(cart)}`] }
}

function productsOf (cart) {
  return cart.items.map(({ product }) => product).join()
}

/** All or nothing: the first failure ends the page, and with it the calls that are under way. */
export async function page (id, requestId) {
  const abort = new AbortController()
  const begun = {}
  for (const [name, { needs, call }] of Object.entries(parts)) {
    begun[name] = Promise.all(needs.map((need) => begun[need]))
      .then((answers) => ask(...call({ id }, ...answers), requestId, abort.signal))
  }
  try {
    const answers = await Promise.all(Object.values(begun))
    return compose(Object.fromEntries(Object.keys(parts).map((name, index) => [name, answers[index]])))
  } catch (error) {
    abort.abort()
    throw error
  }
}

function compose ({ user, cart, recommendations, prices, stock, reviews }) {
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
    recommendations: recommendations.products
  }
}
