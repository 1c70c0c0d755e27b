'use strict'
const fs = require('node:fs')
const http = require('node:http')
const path = require('node:path')
const { json } = require('node:stream/consumers')
const findMyWay = require('find-my-way')
const { openPool } = require('./pool.js')

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const [products, orders, reports] = ['products', 'orders', 'reports']
  .map((name) => JSON.parse(fs.readFileSync(path.join(DATA_DIR, `${name}.json`), 'utf8')))
const pool = openPool({ products, orders })
let count = orders.length

const router = findMyWay({ defaultRoute: (req, res) => answer(res, 404, '{"error":"not_found"}') })

router.on('GET', '/healthz', (req, res) => answer(res, 200, '{"status":"ok"}'))

router.on('GET', '/report/:n', async (req, res, { n }) => {
  const report = reports.find(({ id }) => id === Number(n))
  if (!report) return answer(res, 404, '{"error":"not_found"}')
  const text = await pool.run(report)
  if (text) answer(res, 200, text)
  else answer(res, 500, '{"error":"internal_error"}')
})

router.on('POST', '/orders', async (req, res) => {
  const { product, quantity } = await json(req).catch(() => undefined) ?? {}
  const right = products.includes(product) && Number.isInteger(quantity) && quantity >= 1 && quantity <= 1000
  if (!right) return answer(res, 400, '{"error":"invalid_order"}')
  const order = { id: `A-${10001 + count++}`, product, quantity }
  pool.tell(order)
  answer(res, 201, JSON.stringify(order))
})

http.createServer((req, res) => router.lookup(req, res)).listen(Number(PORT), HOST)

function answer (res, status, body) {
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body)
  }).end(body)
}
