import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'
import { openBook } from './book.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const { opening, prices } = JSON.parse(readFileSync(path.join(DATA_DIR, 'desk.json'), 'utf8'))
const centsPerKilo = new Map(Object.entries(prices))
const book = openBook(opening)

const MOST_MS = 100
const EVERY_MS = 5
let delayMs = 0
let last = performance.now()

setInterval(() => {
  const now = performance.now()
  delayMs = now - last - EVERY_MS
  last = now
}, EVERY_MS).unref()

const app = express()
app.disable('x-powered-by')

app.get('/healthz', (req, res) => {
  res.json({ status: 'ok' })
})

app.post('/quotes', express.json(), (req, res) => {
  const { product, kilos } = req.body ?? {}
  if (!centsPerKilo.has(product) || !Number.isInteger(kilos) || kilos < 1 || kilos > 100_000) {
    return res.status(400).json({ error: 'invalid_order' })
  }
  if (delayMs > MOST_MS) return res.status(503).set('Retry-After', '1').json({ error: 'overloaded' })
  res.status(201).json(book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
})

app.get('/quotes/:number', (req, res) => {
  const quote = book.get(Number(req.params.number))
  if (!quote) return res.status(404).json({ error: 'not_found' })
  res.json(quote)
})

app.use((req, res) => {
  res.status(404).json({ error: 'not_found' })
})

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  const status = error.status ?? 500
  res.status(status).json({ error: status < 500 ? 'bad_request' : 'internal_error' })
})

app.listen(Number(PORT), HOST)
