import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { MessageChannel, Worker } from 'node:worker_threads'
import restify from 'restify'

const read = (name) => JSON.parse(readFileSync(join(process.env.DATA_DIR, name), 'utf8'))
const products = read('products.json')
const orders = read('orders.json')
const reports = new Map(read('reports.json').map((report) => [String(report.id), report]))

// Each job brings a port of its own for its answer, so nobody has to remember whose it is.
const threads = Array.from({ length: Math.max(2, availableParallelism()) }, () => ({ jobs: 0, worker: null }))

function startWorker (thread) {
  const worker = new Worker(new URL('worker.js', import.meta.url), { workerData: { products, orders } })
  worker.on('error', () => {})
  worker.on('exit', () => { if (thread.worker === worker) thread.worker = null })
  return worker
}

async function compute (report) {
  const thread = threads.reduce((one, other) => other.jobs < one.jobs ? other : one)
  thread.worker ??= startWorker(thread)
  thread.jobs++
  const { port1, port2 } = new MessageChannel()
  const answer = new Promise((resolve) => {
    port1.once('message', resolve)
    // The other end of a port ends with its thread.
    port1.once('close', () => resolve({ status: 500, body: { error: 'internal_error' } }))
  })
  thread.worker.postMessage({ report, port: port2 }, [port2])
  try {
    return await answer
  } finally {
    port1.close()
    thread.jobs--
  }
}

const server = restify.createServer({ name: 'shop' })
server.get('/healthz', async (req, res) => send(res, 200, { status: 'ok' }))

server.get('/report/:n', async (req, res) => {
  const report = reports.get(req.params.n)
  const { status, body } = report ? await compute(report) : { status: 404, body: { error: 'not_found' } }
  send(res, status, body)
})

server.post('/orders', async (req, res) => {
  const { product, quantity } = await json(req).catch(() => null) ?? {}
  if (!products.includes(product) || !Number.isInteger(quantity) || quantity < 1 || quantity > 1000) {
    return send(res, 400, { error: 'invalid_order' })
  }
  const order = { id: `A-${10001 + orders.length}`, product, quantity }
  orders.push(order)
  for (const { worker } of threads) worker?.postMessage({ order })
  send(res, 201, order)
})

// A load balancer in front keeps its own connections: each of ours carries one answer.
function send (res, status, body) {
  res.setHeader('Connection', 'close')
  res.json(status, body)
}

process.on('SIGTERM', () => {
  server.close()
  process.exit()
})

server.listen(Number(process.env.PORT), process.env.HOST)
