import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import { forecast } from './forecast.js'

const read = (name) => JSON.parse(readFileSync(join(process.env.DATA_DIR, name), 'utf8'))
const products = read('products.json')
const orders = read('orders.json')
const reports = read('reports.json')

const app = express()
app.use(express.json())
app.get('/healthz', (req, res) => res.json({ status: 'ok' }))

app.get('/report/:n', async (req, res) => {
  const report = reports.find(({ id }) => String(id) === req.params.n)
  if (!report) return res.status(404).json({ error: 'not_found' })
  res.json(await forecast({ products, orders }, report))
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
