import cluster from 'node:cluster'
import http from 'node:http'
import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { panorama } from './panorama.js'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const TOKEN_BYTES = 16
const file = path.join(DATA_DIR, 'visits.log')

if (cluster.isPrimary) startPrimary()
else startWorker()

/** It knows nothing and holds nothing: the count is in the file. */
function startPrimary () {
  let stopping = false
  closeSync(openSync(file, 'w'))
  cluster.on('exit', () => stopping || cluster.fork())
  process.on('SIGTERM', () => {
    stopping = true
    cluster.disconnect(() => process.exit())
  })
  for (let i = 0; i < Math.max(2, availableParallelism()); i++) cluster.fork()
}

function startWorker () {
  const terrain = JSON.parse(readFileSync(path.join(DATA_DIR, 'terrain.json'), 'utf8'))
  const last = (terrain.size - 1) * terrain.cell - 100
  const log = openSync(file, 'a+')
  const token = Buffer.alloc(TOKEN_BYTES)
  // Who appends, appends whole tokens, after all that is there: the place of one's own token is the visit's number.
  const count = () => {
    let number = fstatSync(log).size / TOKEN_BYTES
    const own = randomBytes(TOKEN_BYTES)
    writeSync(log, own)
    do readSync(log, token, 0, TOKEN_BYTES, number++ * TOKEN_BYTES)
    while (!token.equals(own))
    return number
  }

  http.createServer((req, res) => {
    if (req.url === '/visits') return answer(res, 200, { visits: fstatSync(log).size / TOKEN_BYTES })
    const [x, y] = /^\/panorama\/(\d{1,5})\/(\d{1,5})$/.exec(req.url)?.slice(1).map(Number) ?? [0, 0]
    if (Math.min(x, y) < 100 || Math.max(x, y) > last) return answer(res, 404, { error: 'not_found' })
    answer(res, 200, { ...panorama(terrain, x, y), visit: count() })
  }).listen(Number(PORT), HOST)
}

function answer (res, status, value) {
  const body = JSON.stringify(value)
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close'
  }).end(body)
}
