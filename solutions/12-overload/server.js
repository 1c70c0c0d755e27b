import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'
import { openBook } from './book.js'
import { openLine } from './line.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

// How many quotes may wait: the last one waits about this many times as long as one takes.
const MOST_WAITING = 8
const RETRY_AFTER_S = 1

const { opening, prices } = JSON.parse(readFileSync(path.join(DATA_DIR, 'desk.json'), 'utf8'))
const centsPerKilo = new Map(Object.entries(prices))
const book = openBook(opening)
const line = openLine({ most: MOST_WAITING })

const app = express()
app.disable('x-powered-by')

app.get('/healthz', (req, res) => {
  res.json({ status: 'ok' })
})

app.post('/quotes', express.json(), (req, res, next) => {
  const { product, kilos } = req.body ?? {}
  if (!centsPerKilo.has(product) || !Number.isInteger(kilos) || kilos < 1 || kilos > 100_000) {
    return res.status(400).json({ error: 'invalid_order' })
  }
  const accepted = line.join(() => {
    // This client has gone: the time belongs to those that are still waiting.
    if (res.destroyed) return
    try {
      res.status(201).json(book.add({ product, kilos, cents: kilos * centsPerKilo.get(product) }))
    } catch (error) {
      next(error)
    }
  })
  if (!accepted) res.status(503).set('Retry-After', String(RETRY_AFTER_S)).json({ error: 'overloaded' })
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
