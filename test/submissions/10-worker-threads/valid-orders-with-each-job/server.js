import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import express from 'express'

const read = (name) => JSON.parse(readFileSync(join(process.env.DATA_DIR, name), 'utf8'))
const products = read('products.json')
const orders = read('orders.json')
const reports = read('reports.json')

// Each worker is a promise chain: its next job begins when the one before is settled, well or badly.
const lanes = Array.from({ length: Math.max(2, availableParallelism()) }, () => ({
  jobs: 0,
  last: Promise.resolve(),
  worker: null
}))

function run (report) {
  const lane = lanes.reduce((least, other) => other.jobs < least.jobs ? other : least)
  lane.jobs++
  const answer = lane.last.then(() => ask(lane, report)).finally(() => lane.jobs--)
  lane.last = answer.catch(() => {})
  return answer
}

function ask (lane, report) {
  lane.worker ??= new Worker(new URL('worker.js', import.meta.url))
  const { worker } = lane
  return new Promise((resolve, reject) => {
    const lose = (reason) => {
      if (lane.worker === worker) lane.worker = null
      reject(reason)
    }
    worker.removeAllListeners()
    worker.once('message', resolve)
    worker.once('error', lose)
    worker.once('exit', () => lose(new Error('the worker is gone')))
    worker.postMessage({ shop: { products, orders }, report })
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
  res.status(201).json(order)
})

app.use((error, req, res, next) => {
  res.status(error.status ?? 500).json({ error: error.status ? 'bad_request' : 'internal_error' })
})

app.listen(process.env.PORT, process.env.HOST)
