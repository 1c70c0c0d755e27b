import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import express from 'express'

const read = (name) => JSON.parse(readFileSync(join(process.env.DATA_DIR, name), 'utf8'))
const products = read('products.json')
const orders = read('orders.json')
const reports = read('reports.json')

// Every report is cut into as many parts as there are threads, so one report alone is faster, too.
const jobs = new Map()
let lastJob = 0
const workers = Array.from({ length: Math.max(2, availableParallelism()) }, () => {
  const worker = new Worker(new URL('worker.js', import.meta.url))
  worker.on('message', ({ job, rows }) => {
    jobs.get(job).resolve(rows)
    jobs.delete(job)
  })
  // Nothing in it can throw: what can go wrong with a report goes wrong before it is cut. Better no server than half a
  // one.
  worker.on('error', (error) => { throw error })
  return worker
})

async function forecast ({ id, since, seed }) {
  const first = orders.findIndex((order) => order.id === since)
  if (first < 0) throw new Error(`no order ${since}`)
  const pasts = new Map(products.map((product) => [product, []]))
  for (const { product, quantity } of orders.slice(first)) pasts.get(product).push(quantity)
  const counted = orders.length - first
  const tasks = products.map((product, index) => ({
    product,
    past: Int32Array.from(pasts.get(product)),
    seed: seed ^ Math.imul(index + 1, 0x9e3779b9)
  }))
  const share = Math.ceil(tasks.length / workers.length)
  const parts = await Promise.all(workers.map((worker, index) =>
    ask(worker, tasks.slice(index * share, (index + 1) * share))))
  return { report: id, since, orders: counted, products: parts.flat() }
}

function ask (worker, products) {
  const job = ++lastJob
  worker.postMessage({ job, products })
  return new Promise((resolve) => jobs.set(job, { resolve }))
}

const app = express()
app.use(express.json())
app.get('/healthz', (req, res) => res.json({ status: 'ok' }))

app.get('/report/:n', async (req, res) => {
  const report = reports.find(({ id }) => String(id) === req.params.n)
  if (!report) return res.status(404).json({ error: 'not_found' })
  res.json(await forecast(report))
})

app.post('/orders', (req, res) => {
  const { product, quantity } = req.body ?? {}
  if (!products.includes(product) || !Number.isInteger(quantity) || quantity < 1 || quantity > 1000) {
    return res.status(400).json({ error: 'invalid_order' })
  }
  const order = { id: `A-${10001 + orders.length}`, product, quantity }
  orders.push(order)
  res.status(201).json(order)
})

app.use((error, req, res, next) => {
  res.status(error.status ?? 500).json({ error: error.status ? 'bad_request' : 'internal_error' })
})

app.listen(process.env.PORT, process.env.HOST)
