import { readFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'
import { panorama } from './panorama.js'
import { countVisit, readVisits } from './visits.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const terrain = JSON.parse(readFileSync(path.join(DATA_DIR, 'terrain.json'), 'utf8'))
// This far from the map's edge, there's something to see in every direction.
const MARGIN = 100
const last = (terrain.size - 1) * terrain.cell - MARGIN

const app = express()
app.disable('x-powered-by')

app.get('/panorama/:x/:y', async (req, res) => {
  const x = metres(req.params.x)
  const y = metres(req.params.y)
  if (!(x >= MARGIN && x <= last && y >= MARGIN && y <= last)) {
    return res.status(404).json({ error: 'not_found' })
  }
  const view = panorama(terrain, x, y)
  res.json({ ...view, visit: await countVisit() })
})

app.get('/visits', async (req, res) => {
  res.json({ visits: await readVisits() })
})

app.use((req, res) => {
  res.status(404).json({ error: 'not_found' })
})

app.use((error, req, res, next) => {
  if (res.headersSent) return next(error)
  res.status(error.status ?? 500).json({ error: error.type ?? 'internal_error' })
})

const server = app.listen(Number(PORT), HOST)

// Ctrl-C and a supervisor may signal the whole process group: a second signal mustn't cut requests short.
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    server.close(() => process.exit())
    // A connection that is kept alive is idle only after its last answer.
    setInterval(() => server.closeIdleConnections(), 20)
  })
}

function metres (text) {
  return /^\d{1,5}$/.test(text) ? Number(text) : NaN
}
