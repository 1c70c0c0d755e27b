const cluster = require('node:cluster')
const crypto = require('node:crypto')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const express = require('express')
const { panorama } = require('./panorama.js')

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

if (cluster.isPrimary) startPrimary()
else startWorker()

/** It knows all, and tells a worker in the order in which it was asked. */
function startPrimary () {
  const sessions = {}
  const wrong = new Map()
  const huts = new Map()
  const tell = {
    open ({ name }) {
      if ((wrong.get(name) ?? 0) >= 5) return null
      const session = crypto.randomUUID()
      sessions[session] = name
      return session
    },
    fail ({ name }) {
      wrong.set(name, (wrong.get(name) ?? 0) + 1)
      return wrong.get(name) <= 5
    },
    who: ({ session }) => Object.hasOwn(sessions, session) ? sessions[session] : null,
    hut ({ id, beds }) {
      const file = path.join(DATA_DIR, `hut-${id}.json`)
      if (!huts.has(id) && fs.existsSync(file)) huts.set(id, JSON.parse(fs.readFileSync(file, 'utf8')))
      const hut = huts.get(id)
      if (!hut || beds === undefined) return hut ?? null
      hut.beds = beds
      fs.writeFileSync(file, JSON.stringify(hut))
      return hut
    }
  }
  const fork = () => {
    const worker = cluster.fork()
    worker.on('message', ({ what, ...given }) => worker.send({ told: tell[what](given) }, () => {}))
    worker.on('exit', (code) => setTimeout(fork, code === 1 ? 500 : 0))
  }
  os.cpus().forEach(fork)
  if (os.cpus().length === 1) fork()
}

function startWorker () {
  const read = (name) => JSON.parse(fs.readFileSync(path.join(DATA_DIR, name), 'utf8'))
  const terrain = read('terrain.json')
  const pins = new Map(read('members.json'))
  const last = (terrain.size - 1) * terrain.cell - 100
  const waiting = []
  process.on('message', ({ told }) => waiting.shift()(told))
  const ask = (what, given) => new Promise((resolve) => {
    waiting.push(resolve)
    process.send({ what, ...given })
  })

  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(express.json())
  app.get('/panorama/:x/:y', (req, res, next) => {
    const { x, y } = req.params
    if (![x, y].every((text) => /^\d{1,5}$/.test(text) && Number(text) >= 100 && Number(text) <= last)) return next()
    res.json(panorama(terrain, Number(x), Number(y)))
  })
  app.post('/login', async (req, res) => {
    const { name, pin } = req.body ?? {}
    if (typeof name !== 'string' || typeof pin !== 'string') return res.status(400).json({ error: 'invalid_login' })
    if (pins.get(name) === pin) {
      const session = await ask('open', { name })
      if (session) return res.cookie('session', session, { httpOnly: true }).status(201).json({ name })
    } else if (await ask('fail', { name })) {
      return res.status(401).json({ error: 'bad_credentials' })
    }
    res.status(429).json({ error: 'too_many_wrong_pins' })
  })
  app.get('/me', async (req, res) => {
    const session = /(?:^|; )session=([^;]+)/.exec(req.get('cookie') ?? '')?.[1]
    const name = session ? await ask('who', { session }) : null
    res.status(name ? 200 : 401).json(name ? { name } : { error: 'unauthorised' })
  })
  app.use('/huts/:id', async (req, res, next) => {
    const { id } = req.params
    const hut = /^[1-9]\d{0,2}$/.test(id) ? await ask('hut', { id }) : null
    if (!hut) return next()
    if (req.method !== 'PUT') return res.json(hut)
    const beds = req.body?.beds
    if (!Number.isInteger(beds) || beds < 0 || beds > 9999) return res.status(400).json({ error: 'invalid_beds' })
    res.json(await ask('hut', { id, beds }))
  })
  app.use((req, res) => res.status(404).json({ error: 'not_found' }))
  app.use((error, req, res, next) => res.status(error.status ?? 500).json({ error: 'bad_request' }))
  app.listen(Number(PORT), HOST)
}
