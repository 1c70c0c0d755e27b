import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

// The file never changes while the server runs: it is read and parsed once.
const items = JSON.parse(readFileSync(path.join(DATA_DIR, 'items.json'), 'utf8'))
const bySku = new Map(items.map((item) => [item.sku, item]))

const app = express()
app.disable('x-powered-by')

app.get('/items/:sku', (req, res) => {
  const item = bySku.get(req.params.sku)
  if (!item) return res.status(404).json({ error: 'not_found' })
  res.json(item)
})

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  res.status(error.status ?? 500).json({ error: 'internal_error' })
})

app.listen(Number(PORT), HOST)
