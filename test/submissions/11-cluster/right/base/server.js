import cluster from 'node:cluster'
import http from 'node:http'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { panorama } from './panorama.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

if (cluster.isPrimary) startPrimary()
else startWorker()

function startPrimary () {
  const sessions = new Map()
  const wrongPins = new Map()
  const shared = {
    tryPin (name) {
      const wrong = wrongPins.get(name) ?? 0
      wrongPins.set(name, wrong + 1)
      return wrong < 5
    },
    rightPin: (name) => (wrongPins.get(name) ?? 0) < 5,
    keep: (session, name) => sessions.set(session, name).size,
    nameOf: (session) => sessions.get(session)
  }
  cluster.on('message', (worker, { id, call, args }) => {
    worker.send({ id, result: shared[call](...args) }, () => {})
  })
  cluster.on('exit', () => cluster.fork())
  for (let i = 0; i < Math.max(2, availableParallelism()); i++) cluster.fork()
}

function startWorker () {
  const routes = routesOf(asker())
  const answer = async (req) => {
    const [first, ...rest] = req.url.split('?')[0].split('/').slice(1)
    const route = routes[`${req.method} /${first}`]
    if (!route) return [404, { error: 'not_found' }]
    const hasBody = req.method === 'POST' || req.method === 'PUT'
    const body = hasBody ? await json(req).catch(() => undefined) : undefined
    return route(req, body, ...rest)
  }
  http.createServer(async (req, res) => {
    const [status, value, headers] = await answer(req).catch(() => [500, { error: 'internal_error' }])
    const body = JSON.stringify(value)
    res.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      ...headers
    }).end(body)
  }).listen(Number(PORT), HOST)
}

function asker () {
  const waiting = new Map()
  let lastId = 0
  process.on('message', ({ id, result }) => {
    waiting.get(id)(result)
    waiting.delete(id)
  })
  return (call, ...args) => new Promise((resolve) => {
    waiting.set(++lastId, resolve)
    process.send({ id: lastId, call, args })
  })
}

function routesOf (ask) {
  const terrain = read('terrain.json')
  const pins = new Map(read('members.json'))
  const last = (terrain.size - 1) * terrain.cell - 100
  return {
    async 'POST /login' (req, body) {
      const { name, pin } = body ?? {}
      if (typeof name !== 'string' || typeof pin !== 'string') return [400, { error: 'invalid_login' }]
      const isRight = pins.get(name) === pin
      const isAllowed = await ask(isRight ? 'rightPin' : 'tryPin', name)
      if (!isAllowed) return [429, { error: 'too_many_wrong_pins' }]
      if (!isRight) return [401, { error: 'bad_credentials' }]
      const session = randomBytes(24).toString('hex')
      await ask('keep', session, name)
      return [201, { name }, { 'Set-Cookie': `session=${session}; Path=/; HttpOnly` }]
    },
    async 'GET /me' ({ headers: { cookie = '' } }) {
      const [, session] = /(?:^|; )session=([^;]+)/.exec(cookie) ?? []
      const name = session && await ask('nameOf', session)
      return name === undefined ? [401, { error: 'unauthorised' }] : [200, { name }]
    },
    'GET /huts' (req, body, id) {
      const hut = readHut(id)
      return hut ? [200, hut] : [404, { error: 'not_found' }]
    },
    'PUT /huts' (req, body, id) {
      const hut = readHut(id)
      if (!hut) return [404, { error: 'not_found' }]
      const { beds } = body ?? {}
      if (!Number.isInteger(beds) || beds < 0 || beds > 9999) return [400, { error: 'invalid_beds' }]
      write(`hut-${id}.json`, { ...hut, beds })
      return [200, { ...hut, beds }]
    },
    'GET /panorama' (req, body, ...place) {
      const [x, y] = place.map((text) => /^\d{1,5}$/.test(text) ? Number(text) : NaN)
      const isOn = place.length === 2 && Math.min(x, y) >= 100 && Math.max(x, y) <= last
      return isOn ? [200, panorama(terrain, x, y)] : [404, { error: 'not_found' }]
    }
  }
}

function readHut (id) {
  const name = `hut-${id}.json`
  return /^[1-9]\d{0,2}$/.test(id) && existsSync(path.join(DATA_DIR, name)) ? read(name) : undefined
}

function read (name) {
  return JSON.parse(readFileSync(path.join(DATA_DIR, name), 'utf8'))
}

function write (name, value) {
  const file = path.join(DATA_DIR, name)
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(value))
  renameSync(`${file}.${process.pid}`, file)
}
