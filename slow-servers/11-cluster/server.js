import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import express from 'express'
import { panorama } from './panorama.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const terrain = JSON.parse(readFileSync(path.join(DATA_DIR, 'terrain.json'), 'utf8'))
// This far from the map's edge, there's something to see in every direction.
const MARGIN = 100
const last = (terrain.size - 1) * terrain.cell - MARGIN
const WRONG_PINS = 5

const pins = new Map(JSON.parse(readFileSync(path.join(DATA_DIR, 'members.json'), 'utf8')))
const sessions = new Map()
const wrongPins = new Map()
const huts = new Map()

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

app.post('/login', (req, res) => {
  const { name, pin } = req.body ?? {}
  if (typeof name !== 'string' || typeof pin !== 'string') return res.status(400).json({ error: 'invalid_login' })
  const wrong = wrongPins.get(name) ?? 0
  if (wrong >= WRONG_PINS) return res.status(429).json({ error: 'too_many_wrong_pins' })
  if (pins.get(name) !== pin) {
    wrongPins.set(name, wrong + 1)
    return res.status(401).json({ error: 'bad_credentials' })
  }
  const session = randomBytes(24).toString('hex')
  sessions.set(session, name)
  res.cookie('session', session, { httpOnly: true }).status(201).json({ name })
})

app.get('/me', (req, res) => {
  const [, session] = /(?:^|; )session=([^;]+)/.exec(req.get('cookie') ?? '') ?? []
  const name = sessions.get(session)
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
  writeFileSync(fileOf(id), JSON.stringify(changed))
  huts.delete(id)
  res.json(changed)
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

function fileOf (id) {
  return path.join(DATA_DIR, `hut-${id}.json`)
}

function readHut (id) {
  if (!/^[1-9]\d{0,2}$/.test(id)) return undefined
  if (!huts.has(id) && existsSync(fileOf(id))) huts.set(id, JSON.parse(readFileSync(fileOf(id), 'utf8')))
  return huts.get(id)
}
