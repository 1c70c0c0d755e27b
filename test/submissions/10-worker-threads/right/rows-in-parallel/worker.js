import { parentPort } from 'node:worker_threads'

parentPort.on('message', ({ job, products }) => {
  parentPort.postMessage({ job, rows: products.map(play) })
})

function play ({ product, past, seed }) {
  let state = seed || 1
  const totals = new Int32Array(400)
  for (let future = 0; future < 400; future++) {
    for (let order = 0; order < 120; order++) {
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      totals[future] += past[(state >>> 0) % past.length]
    }
  }
  totals.sort()
  return { product, orders: past.length, likely: totals[200], stock: totals[380] }
}
