const FUTURES = 400
const ORDERS_AHEAD = 120

/** The same figures. Orders are sorted out once for all products, and draws divide whole numbers by whole numbers. */
export function forecast ({ products, orders }, { id, since, seed }) {
  const first = orders.findIndex((order) => order.id === since)
  if (first === -1) throw new Error(`Report ${id} starts with the order ${since}, which does not exist`)
  const pasts = new Map(products.map((product) => [product, []]))
  for (let i = first; i < orders.length; i++) pasts.get(orders[i].product).push(orders[i].quantity)
  return {
    report: id,
    since,
    orders: orders.length - first,
    products: products.map((product, index) => {
      const past = pasts.get(product)
      return { product, orders: past.length, ...playFutures(past, seed ^ Math.imul(index + 1, 0x9e3779b9)) }
    })
  }
}

function playFutures (past, seed) {
  const quantities = Int32Array.from(past)
  const count = past.length >>> 0
  const totals = new Int32Array(FUTURES)
  let state = seed || 1
  for (let future = 0; future < FUTURES; future++) {
    for (let order = 0; order < ORDERS_AHEAD; order++) {
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      const drawn = state >>> 0
      totals[future] += quantities[drawn - Math.floor(drawn / count) * count]
    }
  }
  totals.sort()
  return { likely: totals[FUTURES * 0.5], stock: totals[FUTURES * 0.95] }
}
