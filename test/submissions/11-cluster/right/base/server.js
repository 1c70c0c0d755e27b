import cluster from 'node:cluster'
import http from 'node:http'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { panorama } from './panorama.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

if (cluster.isPrimary) startPrimary()
else startWorker()

function startPrimary () {
  let visits = 0
  cluster.on('message', (worker, { id, add }) => {
    visits += add
    worker.send({ id, visits }, () => {})
  })
  cluster.on('exit', () => cluster.fork())
  for (let i = 0; i < Math.max(2, availableParallelism()); i++) cluster.fork()
}

function startWorker () {
  const terrain = JSON.parse(readFileSync(path.join(DATA_DIR, 'terrain.json'), 'utf8'))
  const last = (terrain.size - 1) * terrain.cell - 100
  const waiting = new Map()
  let lastId = 0
  process.on('message', ({ id, visits }) => {
    waiting.get(id)(visits)
    waiting.delete(id)
  })
  const count = (add) => new Promise((resolve) => {
    waiting.set(++lastId, resolve)
    process.send({ id: lastId, add })
  })

  http.createServer(async (req, res) => {
    if (req.url === '/visits') return answer(res, 200, { visits: await count(0) })
    const [x, y] = /^\/panorama\/(\d{1,5})\/(\d{1,5})$/.exec(req.url)?.slice(1).map(Number) ?? [0, 0]
    if (Math.min(x, y) < 100 || Math.max(x, y) > last) return answer(res, 404, { error: 'not_found' })
    const view = panorama(terrain, x, y)
    answer(res, 200, { ...view, visit: await count(1) })
  }).listen(Number(PORT), HOST)
}

function answer (res, status, value) {
  const body = JSON.stringify(value)
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body)
  }).end(body)
}
