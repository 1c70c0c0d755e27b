'use strict'
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { Worker } = require('node:worker_threads')
const express = require('express')

const read = (name) => JSON.parse(fs.readFileSync(path.join(process.env.DATA_DIR, name), 'utf8'))
const products = read('products.json')
const reports = read('reports.json')

// Orders are only ever appended, and a job says how many there are: nobody reads what is being written.
const MOST = 1e6
const memory = { productOf: new SharedArrayBuffer(MOST), quantityOf: new SharedArrayBuffer(4 * MOST) }
const productOf = new Uint8Array(memory.productOf)
const quantityOf = new Int32Array(memory.quantityOf)
const placeOf = new Map()
for (const { product, quantity } of read('orders.json')) append(product, quantity)

const waiting = new Map()
let jobs = 0
const workers = Array.from({ length: Math.max(2, os.availableParallelism()) }, (_, lane) => start(lane))

const app = express()
app.use(express.json())
app.get('/healthz', (req, res) => res.json({ status: 'ok' }))

app.get('/report/:n', async (req, res) => {
  const report = reports[Number(req.params.n) - 1]
  if (!report) return res.status(404).json({ error: 'not_found' })
  const { id, since, seed } = report
  if (!placeOf.has(since)) return res.status(500).json({ error: 'internal_error' })
  const [first, count] = [placeOf.get(since), placeOf.size]
  const rows = await run({ seed, first, count, products: products.length })
  res.json({
    report: id,
    since,
    orders: count - first,
    products: rows.map((row, index) => ({ product: products[index], ...row }))
  })
})

app.post('/orders', (req, res) => {
  const { product, quantity } = req.body ?? {}
  if (!products.includes(product) || !Number.isInteger(quantity) || quantity < 1 || quantity > 1000) {
    return res.status(400).json({ error: 'invalid_order' })
  }
  res.status(201).json({ id: append(product, quantity), product, quantity })
})

app.use((error, req, res, next) => res.status(error.status ?? 500).json({ error: 'internal_error' }))
app.listen(process.env.PORT, process.env.HOST)

function append (product, quantity) {
  const place = placeOf.size
  productOf[place] = products.indexOf(product)
  quantityOf[place] = quantity
  placeOf.set(`A-${10001 + place}`, place)
  return `A-${10001 + place}`
}

function run (order) {
  const job = ++jobs
  const lane = job % workers.length
  return new Promise((resolve, reject) => {
    waiting.set(job, { resolve, reject, lane })
    workers[lane].postMessage({ job, ...order })
  })
}

function start (lane) {
  const worker = new Worker(path.join(__dirname, 'worker.js'), { workerData: memory })
  worker.on('message', ({ job, rows }) => {
    waiting.get(job).resolve(rows)
    waiting.delete(job)
  })
  worker.on('error', (error) => {
    workers[lane] = start(lane)
    for (const [job, { reject }] of [...waiting].filter(([, { lane: itsLane }]) => itsLane === lane)) {
      waiting.delete(job)
      reject(error)
    }
  })
  return worker
}
