import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import express from 'express'

const read = (name) => JSON.parse(readFileSync(join(process.env.DATA_DIR, name), 'utf8'))
const products = read('products.json')
const orders = read('orders.json')
const reports = read('reports.json')

const all = Array.from({ length: Math.max(2, availableParallelism()) }, () => {
  return new Worker(new URL('worker.js', import.meta.url), { workerData: { products, orders } }).setMaxListeners(100)
})
let turn = 0

function run (report) {
  return new Promise((resolve, reject) => {
    const worker = all[turn++ % 2]
    worker.once('message', ({ result, error }) => error ? reject(error) : resolve(result))
    worker.once('error', reject)
    worker.postMessage({ report })
  })
}

const app = express()
app.use(express.json())
app.get('/healthz', (req, res) => res.json({ status: 'ok' }))

app.get('/report/:n', async (req, res) => {
  const report = reports.find(({ id }) => String(id) === req.params.n)
  if (!report) return res.status(404).json({ error: 'not_found' })
  res.json(await run(report))
})

app.post('/orders', (req, res) => {
  const { product, quantity } = req.body ?? {}
  if (!products.includes(product) || !Number.isInteger(quantity) || quantity < 1 || quantity > 1000) {
    return res.status(400).json({ error: 'invalid_order' })
  }
  const order = { id: `A-${10001 + orders.length}`, product, quantity }
  orders.push(order)
  for (const worker of all) worker.postMessage({ order })
  res.status(201).json(order)
})

app.use((error, req, res, next) => {
  res.status(error.status ?? 500).json({ error: error.status ? 'bad_request' : 'internal_error' })
})

app.listen(process.env.PORT, process.env.HOST)
