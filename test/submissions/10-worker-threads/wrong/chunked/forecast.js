import { setImmediate as nextTurn } from 'node:timers/promises'

export async function forecast ({ products, orders }, { id, since, seed }) {
  const first = orders.findIndex((order) => order.id === since)
  if (first < 0) throw new Error(`no order ${since}`)
  const counted = orders.slice(first)
  const rows = []
  for (const [index, product] of products.entries()) {
    const past = counted.filter((order) => order.product === product).map(({ quantity }) => quantity)
    rows.push({ product, orders: past.length, ...play(past, seed ^ Math.imul(index + 1, 0x9e3779b9)) })
    await nextTurn()
  }
  return { report: id, since, orders: counted.length, products: rows }
}

function play (past, seed) {
  const quantities = Int32Array.from(past)
  let state = seed || 1
  const totals = new Int32Array(400).map(() => {
    let total = 0
    for (let i = 0; i < 120; i++) {
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      total += quantities[(state >>> 0) % quantities.length]
    }
    return total
  }).sort()
  return { likely: totals[200], stock: totals[380] }
}
