import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'
import { createPool } from './pool.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const products = readJson('products.json')
const orders = readJson('orders.json')
const reports = new Map(readJson('reports.json').map((report) => [report.id, report]))

// A worker that is started later, in place of a lost one, gets the orders as they are then.
const pool = createPool(new URL('worker.js', import.meta.url), { startWith: () => ({ products, orders }) })

const app = express()
app.disable('x-powered-by')
app.use(express.json())

app.get('/healthz', (req, res) => {
  res.json({ status: 'ok' })
})

app.get('/report/:n', async (req, res) => {
  const report = reports.get(Number(req.params.n))
  if (!report) {
    return res.status(404).json({ error: 'not_found' })
  }
  res.json(await pool.run(report))
})

app.post('/orders', (req, res) => {
  const { product, quantity } = req.body ?? {}
  if (!products.includes(product) || !Number.isInteger(quantity) || quantity < 1 || quantity > 1000) {
    return res.status(400).json({ error: 'invalid_order' })
  }
  const order = { id: `A-${10001 + orders.length}`, product, quantity }
  orders.push(order)
  // Before the answer is sent: a thread reads its messages in order, so no later report can miss this one.
  pool.tell(order)
  res.status(201).json(order)
})

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  res.status(error.status ?? 500).json({ error: error.type ?? 'internal_error' })
})

app.listen(Number(PORT), HOST)

function readJson (name) {
  return JSON.parse(readFileSync(path.join(DATA_DIR, name), 'utf8'))
}
