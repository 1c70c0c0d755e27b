import { readFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env

const items = JSON.parse(readFileSync(path.join(DATA_DIR, 'items.json'), 'utf8'))
const bodies = new Map(items.map((item) => [`/items/${item.sku}`, JSON.stringify(item)]))

const server = http.createServer((req, res) => {
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  const found = isRead ? bodies.get(req.url.split('?')[0]) : undefined
  const body = found ?? '{"error":"not_found"}'
  res.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  res.end(body)
})

server.listen(Number(PORT), HOST)
