import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'
import { panorama } from './panorama.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const terrain = JSON.parse(readFileSync(path.join(DATA_DIR, 'terrain.json'), 'utf8'))
// This far from the map's edge, there's something to see in every direction.
const MARGIN = 100
const last = (terrain.size - 1) * terrain.cell - MARGIN

let visits = 0

const app = express()
app.disable('x-powered-by')

app.get('/panorama/:x/:y', (req, res) => {
  const x = metres(req.params.x)
  const y = metres(req.params.y)
  if (!(x >= MARGIN && x <= last && y >= MARGIN && y <= last)) {
    return res.status(404).json({ error: 'not_found' })
  }
  const view = panorama(terrain, x, y)
  res.json({ ...view, visit: ++visits })
})

app.get('/visits', (req, res) => {
  res.json({ visits })
})

app.use((req, res) => {
  res.status(404).json({ error: 'not_found' })
})

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  res.status(error.status ?? 500).json({ error: error.type ?? 'internal_error' })
})

app.listen(Number(PORT), HOST)

function metres (text) {
  return /^\d{1,5}$/.test(text) ? Number(text) : NaN
}
