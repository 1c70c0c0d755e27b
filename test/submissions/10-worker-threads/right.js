import { patch } from '../apply.js'

export default [
  {
    name: 'base',
    on: 'slow',
    why: 'A pool of workers that hear of every order, in one file with its server: the wrong ones change it.',
    files: 'right/base'
  },
  {
    name: 'valid-cheaper-division',
    on: 'base',
    why: 'The arithmetic is faster as well: it draws with another division, and the figures stay the same.',
    files: 'right/cheaper-division'
  },
  {
    name: 'valid-child-processes',
    on: 'slow',
    why: 'Child processes instead of threads, on plain node:http; they send the text of a report.',
    files: 'right/child-processes'
  },
  {
    name: 'valid-orders-with-each-job',
    on: 'base',
    why: 'Nothing is kept in a worker: all orders travel with each report.',
    files: 'right/orders-with-each-job',
    change: patch`
      -const idle = []
      -…
      -    if (worker) giveWork(worker)
      +// Each worker is a promise chain: its next job begins when the one before is settled, well or badly.
      +const lanes = Array.from({ length: Math.max(2, availableParallelism()) }, () => ({
      +  jobs: 0,
      +  last: Promise.resolve(),
      +  worker: null
      +}))
      +
      +function run (report) {
      +  const lane = lanes.reduce((least, other) => other.jobs < least.jobs ? other : least)
      +  lane.jobs++
      +  const answer = lane.last.then(() => ask(lane, report)).finally(() => lane.jobs--)
      +  lane.last = answer.catch(() => {})
      +  return answer
      +}
      +
      +function ask (lane, report) {
      +  lane.worker ??= new Worker(new URL('worker.js', import.meta.url))
      +  const { worker } = lane
      +  return new Promise((resolve, reject) => {
      +    const lose = (reason) => {
      +      if (lane.worker === worker) lane.worker = null
      +      reject(reason)
      +    }
      +    worker.removeAllListeners()
      +    worker.once('message', resolve)
      +    worker.once('error', lose)
      +    worker.once('exit', () => lose(new Error('the worker is gone')))
      +    worker.postMessage({ shop: { products, orders }, report })
      @@
      -  for (const worker of all) worker.postMessage({ order })
    `
  },
  {
    name: 'valid-restify-closing',
    on: 'slow',
    why: 'Restify, a separate message port for each answer, and a connection that ends with its answer.',
    files: 'right/restify-closing'
  },
  {
    name: 'valid-rows-in-parallel',
    on: 'valid-orders-with-each-job',
    why: 'Each report is divided among all threads, which know no orders at all.',
    files: 'right/rows-in-parallel',
    change: {
      ...patch`
        -// Each worker is a promise chain: its next job begins when the one before is settled, well or badly.
        -…
        -  })
        +// Every report is cut into as many parts as there are threads, so one report alone is faster, too.
        +const jobs = new Map()
        +let lastJob = 0
        +const workers = Array.from({ length: Math.max(2, availableParallelism()) }, () => {
        +  const worker = new Worker(new URL('worker.js', import.meta.url))
        +  worker.on('message', ({ job, rows }) => {
        +    jobs.get(job).resolve(rows)
        +    jobs.delete(job)
        +  })
        +  // Nothing in it can throw: what can go wrong with a report goes wrong before it is cut. Better no server \
          than half a
        +  // one.
        +  worker.on('error', (error) => { throw error })
        +  return worker
        +})
        +
        +async function forecast ({ id, since, seed }) {
        +  const first = orders.findIndex((order) => order.id === since)
        +  if (first < 0) throw new Error(\`no order \${since}\`)
        +  const pasts = new Map(products.map((product) => [product, []]))
        +  for (const { product, quantity } of orders.slice(first)) pasts.get(product).push(quantity)
        +  const counted = orders.length - first
        +  const tasks = products.map((product, index) => ({
        +    product,
        +    past: Int32Array.from(pasts.get(product)),
        +    seed: seed ^ Math.imul(index + 1, 0x9e3779b9)
        +  }))
        +  const share = Math.ceil(tasks.length / workers.length)
        +  const parts = await Promise.all(workers.map((worker, index) =>
        +    ask(worker, tasks.slice(index * share, (index + 1) * share))))
        +  return { report: id, since, orders: counted, products: parts.flat() }
        +}
        +
        +function ask (worker, products) {
        +  const job = ++lastJob
        +  worker.postMessage({ job, products })
        +  return new Promise((resolve) => jobs.set(job, { resolve }))
        @@
        -  res.json(await run(report))
        +  res.json(await forecast(report))
      `,
      'forecast.js': null
    }
  },
  {
    name: 'valid-sleeping-threads',
    on: 'slow',
    why: 'CommonJS; threads that sleep in Atomics.wait and take their messages when they are woken.',
    files: 'right/sleeping-threads',
    change: patch`
      @@ forecast.js
      +'use strict'
       /** How many futures are simulated for each product, and how many orders each of them has. */
      @@
      -export function forecast ({ products, orders }, report) {
      +exports.forecast = function ({ products, orders }, report) {
    `
  },
  {
    name: 'valid-told-with-each-job',
    on: 'slow',
    why: 'A thread hears with its next report of the orders since its last one, and none in between.',
    files: 'right/told-with-each-job',
    change: patch`
      +// A pool of threads; each hears with its next report of the orders that have come in since its last one.
       import { readFileSync } from 'node:fs'
      @@
      -import { forecast } from './forecast.js'
      +import { createPool } from './pool.js'
      @@
      +const compute = createPool({ products, orders })
      +
       const app = express()
      @@
      -app.get('/report/:n', (req, res) => {
      +app.get('/report/:n', async (req, res) => {
      @@
      -  res.json(forecast({ products, orders }, report))
      +  res.json(await compute(report))
      @@
      -app.listen(Number(PORT), HOST)
      +const server = app.listen(Number(PORT), HOST)
      +
      +let waiting = 0
      +let isEnding = false
      +server.prependListener('request', (req, res) => {
      +  waiting++
      +  res.once('close', () => {
      +    waiting--
      +    endIfIdle()
      +  })
      +})
      +process.on('SIGTERM', () => {
      +  isEnding = true
      +  server.close()
      +  endIfIdle()
      +})
      +
      +function endIfIdle () {
      +  if (isEnding && waiting === 0) process.exit(0)
      +}
    `
  }
]
