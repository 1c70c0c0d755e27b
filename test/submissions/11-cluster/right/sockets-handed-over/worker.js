import http from 'node:http'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { panorama } from './panorama.js'

const terrain = JSON.parse(readFileSync(path.join(process.env.DATA_DIR ?? '.', 'terrain.json'), 'utf8'))
const last = (terrain.size - 1) * terrain.cell - 100
const waiting = new Map()
let lastId = 0

// It never listens: connections come from the parent.
const server = http.createServer(async (req, res) => {
  if (req.url === '/visits') return answer(res, 200, { visits: await count(0) })
  const [x, y] = /^\/panorama\/(\d{1,5})\/(\d{1,5})$/.exec(req.url)?.slice(1).map(Number) ?? [0, 0]
  if (Math.min(x, y) < 100 || Math.max(x, y) > last) return answer(res, 404, { error: 'not_found' })
  const view = panorama(terrain, x, y)
  answer(res, 200, { ...view, visit: await count(1) })
})

process.on('message', ({ id, visits }, socket) => {
  if (id !== undefined) {
    waiting.get(id)(visits)
    waiting.delete(id)
  } else if (socket) {
    server.emit('connection', socket)
    socket.resume()
  }
})
process.on('disconnect', () => process.exit())

function count (add) {
  return new Promise((resolve) => {
    waiting.set(++lastId, resolve)
    process.send({ id: lastId, add })
  })
}

function answer (res, status, value) {
  const body = JSON.stringify(value)
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body)
  }).end(body)
}
