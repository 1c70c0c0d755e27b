import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import express from 'express'

const read = (name) => JSON.parse(readFileSync(join(process.env.DATA_DIR, name), 'utf8'))
const products = read('products.json')
const orders = read('orders.json')
const reports = read('reports.json')

const idle = []
const all = new Set()
const queue = []
for (let i = 0; i < Math.max(2, availableParallelism()); i++) startWorker()

function startWorker () {
  const worker = new Worker(new URL('worker.js', import.meta.url), { workerData: { products, orders } })
  all.add(worker)
  worker.on('message', ({ result, error }) => {
    if (error) worker.job.reject(error)
    else worker.job.resolve(result)
    giveWork(worker)
  })
  worker.on('error', (error) => {
    all.delete(worker)
    worker.job?.reject(error)
    startWorker()
  })
  giveWork(worker)
}

function giveWork (worker) {
  worker.job = queue.shift()
  if (worker.job) worker.postMessage({ report: worker.job.report })
  else idle.push(worker)
}

function run (report) {
  return new Promise((resolve, reject) => {
    queue.push({ report, resolve, reject })
    const worker = idle.pop()
    if (worker) giveWork(worker)
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
