'use strict'
const { parentPort, workerData } = require('node:worker_threads')

const productOf = new Uint8Array(workerData.productOf)
const quantityOf = new Int32Array(workerData.quantityOf)

parentPort.on('message', ({ job, seed, first, count, products }) => {
  const pasts = Array.from({ length: products }, () => [])
  for (let i = first; i < count; i++) pasts[productOf[i]].push(quantityOf[i])
  parentPort.postMessage({ job, rows: pasts.map((past, index) => play(past, seed ^ Math.imul(index + 1, 0x9e3779b9))) })
})

function play (past, seed) {
  let state = seed || 1
  const totals = new Float64Array(400)
  for (let i = 0; i < 400 * 120; i++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    totals[Math.floor(i / 120)] += past[(state >>> 0) % past.length]
  }
  totals.sort()
  return { orders: past.length, likely: totals[200], stock: totals[380] }
}
