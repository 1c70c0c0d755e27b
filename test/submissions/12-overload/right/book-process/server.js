import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const MOST_UNDER_WAY = 7

const { opening, prices } = JSON.parse(readFileSync(path.join(DATA_DIR, 'desk.json'), 'utf8'))

// The book is in a process of its own, so this one always has time to refuse. Its answers come in the order of the
// orders. When it is gone, so is the book: better no server than one that begins a second book.
const underWay = []
const quotes = []
const book = fork(new URL('book-process.js', import.meta.url))
book.send({ opening })
book.on('message', (quote) => {
  quotes.push(quote)
  underWay.shift()(quote)
})
book.on('exit', () => process.exit(1))

const app = express()
app.disable('x-powered-by')
app.disable('etag')

app.get('/healthz', (req, res) => {
  res.json({ status: 'ok' })
})

app.post('/quotes', express.json(), (req, res) => {
  const { product, kilos } = req.body ?? {}
  if (!Object.hasOwn(prices, product ?? '') || !Number.isInteger(kilos) || kilos < 1 || kilos > 100_000) {
    return res.status(400).json({ error: 'invalid_order' })
  }
  if (underWay.length >= MOST_UNDER_WAY) {
    // Not all of them in the same second, and not on this connection.
    const seconds = 1 + Math.floor(Math.random() * 3)
    return res.status(503).set({ 'Retry-After': String(seconds), Connection: 'close' }).json({ error: 'overloaded' })
  }
  underWay.push((quote) => res.status(201).json(quote))
  book.send({ entry: { product, kilos, cents: kilos * prices[product] } })
})

app.get('/quotes/:number', (req, res) => {
  const quote = quotes[req.params.number - 1]
  if (quote) res.json(quote)
  else res.status(404).json({ error: 'not_found' })
})

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  res.status(error.status ?? 500).json({ error: error.status ? 'bad_request' : 'internal_error' })
})

app.listen(Number(PORT), HOST)
