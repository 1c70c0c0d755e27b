// Restify serves and counts; processes behind it compute, and their SIGTERM is not the end of them.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import restify from 'restify'
import { openPool } from './pool.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const { size, cell } = JSON.parse(readFileSync(path.join(DATA_DIR, 'terrain.json'), 'utf8'))
// This far from the map's edge, there's something to see in every direction.
const MARGIN = 100
const last = (size - 1) * cell - MARGIN

// Only this process serves and counts; it computes nothing.
let visits = 0
let underWay = 0
let stopping = false
const pool = openPool(Math.max(2, availableParallelism()))

const server = restify.createServer({ name: '' })

server.pre((req, res, next) => {
  underWay++
  res.once('close', () => {
    underWay--
    if (stopping && underWay === 0) end()
  })
  next()
})

async function showPanorama (req, res) {
  const x = metres(req.params.x)
  const y = metres(req.params.y)
  if (!(x >= MARGIN && x <= last && y >= MARGIN && y <= last)) return answer(req, res, 404, { error: 'not_found' })
  let view
  try {
    view = await pool.render(x, y)
  } catch {
    return answer(req, res, 500, { error: 'internal_error' })
  }
  answer(req, res, 200, { ...view, visit: ++visits })
}

async function showVisits (req, res) {
  answer(req, res, 200, { visits })
}

for (const method of ['get', 'head']) {
  server[method]('/panorama/:x/:y', showPanorama)
  server[method]('/visits', showVisits)
}

for (const event of ['NotFound', 'MethodNotAllowed']) {
  server.on(event, (req, res, error, done) => {
    sendError(res, 404, 'not_found')
    done()
  })
}
server.on('restifyError', (req, res, error, done) => {
  if (!res.headersSent) sendError(res, error.statusCode ?? 500, 'internal_error')
  done()
})

server.listen(Number(PORT), HOST)

for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    stopping = true
    server.server.close()
    if (underWay === 0) end()
    else setTimeout(end, 5000)
  })
}

function end () {
  pool.close()
  process.exit()
}

// Restify answers itself unless it was told by its own means that somebody did.
function sendError (res, status, error) {
  const body = JSON.stringify({ error })
  res.sendRaw(status, body, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body)
  })
}

function answer (req, res, status, value) {
  const body = JSON.stringify(value)
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...stopping ? { Connection: 'close' } : {}
  })
  res.end(req.method === 'HEAD' ? undefined : body)
}

function metres (text) {
  return /^\d{1,5}$/.test(text) ? Number(text) : NaN
}
