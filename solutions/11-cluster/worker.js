import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'
import { ask } from './ask.js'
import { panorama } from './panorama.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const terrain = JSON.parse(readFileSync(path.join(DATA_DIR, 'terrain.json'), 'utf8'))
// This far from the map's edge, there's something to see in every direction.
const MARGIN = 100
const last = (terrain.size - 1) * terrain.cell - MARGIN

const pins = new Map(JSON.parse(readFileSync(path.join(DATA_DIR, 'members.json'), 'utf8')))

const app = express()
app.disable('x-powered-by')
app.use(express.json())

app.get('/panorama/:x/:y', (req, res) => {
  const x = metres(req.params.x)
  const y = metres(req.params.y)
  if (!(x >= MARGIN && x <= last && y >= MARGIN && y <= last)) {
    return res.status(404).json({ error: 'not_found' })
  }
  res.json(panorama(terrain, x, y))
})

app.post('/login', async (req, res) => {
  const { name, pin } = req.body ?? {}
  if (typeof name !== 'string' || typeof pin !== 'string') return res.status(400).json({ error: 'invalid_login' })
  const { locked, session } = await ask('logIn', name, pins.get(name) === pin)
  if (locked) return res.status(429).json({ error: 'too_many_wrong_pins' })
  if (!session) return res.status(401).json({ error: 'bad_credentials' })
  res.cookie('session', session, { httpOnly: true }).status(201).json({ name })
})

app.get('/me', async (req, res) => {
  const [, session] = /(?:^|; )session=([^;]+)/.exec(req.get('cookie') ?? '') ?? []
  const name = session && await ask('nameOf', session)
  if (name === undefined) return res.status(401).json({ error: 'unauthorised' })
  res.json({ name })
})

app.get('/huts/:id', (req, res) => {
  const hut = readHut(req.params.id)
  if (!hut) return res.status(404).json({ error: 'not_found' })
  res.json(hut)
})

app.put('/huts/:id', (req, res) => {
  const { id } = req.params
  const hut = readHut(id)
  if (!hut) return res.status(404).json({ error: 'not_found' })
  const { beds } = req.body ?? {}
  if (!Number.isInteger(beds) || beds < 0 || beds > 9999) return res.status(400).json({ error: 'invalid_beds' })
  const changed = { ...hut, beds }
  writeHut(id, changed)
  res.json(changed)
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
    // A connection that is kept alive is idle only after its last response.
    setInterval(() => server.closeIdleConnections(), 20)
  })
}

function metres (text) {
  return /^\d{1,5}$/.test(text) ? Number(text) : NaN
}

function fileOf (id) {
  return path.join(DATA_DIR, `hut-${id}.json`)
}

// No cache: the file is what all workers share, and the system keeps it in memory anyway.
function readHut (id) {
  if (!/^[1-9]\d{0,2}$/.test(id) || !existsSync(fileOf(id))) return undefined
  return JSON.parse(readFileSync(fileOf(id), 'utf8'))
}

// Another worker may read at any moment: it finds the old file or the new one, never half of one.
function writeHut (id, hut) {
  const draft = `${fileOf(id)}.${process.pid}`
  writeFileSync(draft, JSON.stringify(hut))
  renameSync(draft, fileOf(id))
}
