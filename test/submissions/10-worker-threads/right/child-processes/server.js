import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const [products, orders, reports] = ['products', 'orders', 'reports']
  .map((name) => JSON.parse(readFileSync(join(process.env.DATA_DIR, `${name}.json`))))
const queue = []
const children = []
for (let i = 0; i < Math.max(2, availableParallelism()); i++) children.push(startChild())

http.createServer(async (req, res) => {
  const { status, body } = await route(req).catch(() => ({ status: 500, body: '{"error":"internal_error"}' }))
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body)
  })
  res.end(body)
}).listen(process.env.PORT, process.env.HOST)

async function route (req) {
  if (req.url === '/healthz') return { status: 200, body: '{"status":"ok"}' }
  if (req.method === 'POST' && req.url === '/orders') return addOrder(await json(req).catch(() => null))
  const [, n] = /^\/report\/([1-9]\d*)$/.exec(req.url) ?? []
  const report = reports[n - 1]
  if (report === undefined) return { status: 404, body: '{"error":"not_found"}' }
  return new Promise((resolve, reject) => {
    queue.push({ report, resolve, reject })
    dispatch()
  })
}

function addOrder (body) {
  const { product, quantity } = body ?? {}
  const right = products.includes(product) && Number.isInteger(quantity) && quantity >= 1 && quantity <= 1000
  if (!right) return { status: 400, body: '{"error":"invalid_order"}' }
  const order = { id: `A-${10001 + orders.length}`, product, quantity }
  orders.push(order)
  for (const { child } of children) child.send({ order })
  return { status: 201, body: JSON.stringify(order) }
}

function dispatch () {
  for (const slot of children) {
    if (slot.job || queue.length === 0) continue
    slot.job = queue.shift()
    slot.child.send({ report: slot.job.report })
  }
}

function startChild () {
  const child = fork(fileURLToPath(new URL('child.js', import.meta.url)))
  const slot = { child, job: null }
  child.send({ shop: { products, orders } })
  child.on('message', (body) => {
    if (body === null) slot.job.reject(new Error('failed'))
    else slot.job.resolve({ status: 200, body })
    slot.job = null
    dispatch()
  })
  child.on('exit', () => {
    slot.job?.reject(new Error('the child is gone'))
    children[children.indexOf(slot)] = startChild()
    dispatch()
  })
  return slot
}
