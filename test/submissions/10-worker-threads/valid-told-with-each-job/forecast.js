/** How many futures are played through for each product, and how many orders each of them holds. */
const FUTURES = 400
const ORDERS_AHEAD = 120

/**
 * How much of each product should be in stock? Plays the next orders many times over, each drawn from those of the
 * past. The draws depend on the report's seed alone: the same report over the same orders says the same again.
 */
export function forecast ({ products, orders }, report) {
  const first = orders.findIndex(({ id }) => id === report.since)
  if (first === -1) {
    throw new Error(`Report ${report.id} starts with the order ${report.since}, which does not exist`)
  }
  const counted = orders.slice(first)
  return {
    report: report.id,
    since: report.since,
    orders: counted.length,
    products: products.map((product, index) => {
      const past = counted.filter((order) => order.product === product).map(({ quantity }) => quantity)
      return { product, orders: past.length, ...playFutures(past, report.seed ^ Math.imul(index + 1, 0x9e3779b9)) }
    })
  }
}

function playFutures (past, seed) {
  const quantities = Int32Array.from(past)
  const totals = new Int32Array(FUTURES)
  // xorshift32 by Marsaglia; it never leaves zero.
  let state = seed || 1
  for (let future = 0; future < FUTURES; future++) {
    let total = 0
    for (let order = 0; order < ORDERS_AHEAD; order++) {
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      total += quantities[(state >>> 0) % quantities.length]
    }
    totals[future] = total
  }
  totals.sort()
  return { likely: totals[FUTURES * 0.5], stock: totals[FUTURES * 0.95] }
}
