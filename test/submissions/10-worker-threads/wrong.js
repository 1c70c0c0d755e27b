import { patch } from '../apply.js'

export const on = 'base'

export default [
  {
    name: 'answers-first',
    why: 'it answers 202 before it computes, and has the report only for those who ask again',
    change: patch`
       const reports = read('reports.json')
      +const done = new Map()
      @@
      -  res.json(await run(report))
      +  const result = done.get(report.id)
      +  done.delete(report.id)
      +  if (result) return res.json(result)
      +  run(report).then((computed) => done.set(report.id, computed), () => {})
      +  res.status(202).json({ status: 'computing', report: report.id })
    `
  },
  {
    name: 'any-property-a-product',
    on: 'solution',
    why: 'It looks products up in a plain object, which has a constructor and more.',
    by: 'refuses an invalid order with 400',
    change: patch`
      -const orders = readJson('orders.json')
      +const orders = readJson('orders.json')
      +const known = Object.fromEntries(products.map((product) => [product, true]))
      @@
      -  if (!products.includes(product) || !Number.isInteger(quantity) || quantity < 1 || quantity > 1000) {
      +  if (!known[product] || !Number.isInteger(quantity) || quantity < 1 || quantity > 1000) {
    `
  },
  {
    name: 'async-only',
    why: 'its async function still computes the report on the main thread',
    gate: 'healthz under report load',
    change: {
      ...patch`
        -import { availableParallelism } from 'node:os'
         import { join } from 'node:path'
        -import { Worker } from 'node:worker_threads'
         import express from 'express'
        +import { forecast } from './forecast.js'
        @@
        -const idle = []
        -…
        -  })
        -}
        -
        @@
        -  res.json(await run(report))
        +  res.json(await computeReport(report))
        @@
        -  for (const worker of all) worker.postMessage({ order })
        @@
         app.listen(process.env.PORT, process.env.HOST)
        +
        +async function computeReport (report) {
        +  await Promise.resolve()
        +  return forecast({ products, orders }, report)
        +}
      `,
      'worker.js': null
    }
  },
  {
    name: 'breaker',
    why: 'After three reports in a row that failed, it answers 500 to all for a second, also for those that are sound.',
    by: 'counts every order, whichever thread computes the report, even after others have failed',
    change: patch`
       const reports = read('reports.json')
      +let [failed, until] = [0, 0]
      @@
      -  res.json(await run(report))
      +  if (Date.now() < until) throw new Error('too many failures')
      +  try {
      +    res.json(await run(report))
      +    failed = 0
      +  } catch (error) {
      +    if (++failed % 3 === 0) until = Date.now() + 1000
      +    throw error
      +  }
    `
  },
  {
    name: 'cached-reports',
    why: 'it keeps every report and never learns that an order came in since',
    change: patch`
       const reports = read('reports.json')
      +const computed = new Map()
      @@
      -  res.json(await run(report))
      +  if (!computed.has(report.id)) computed.set(report.id, run(report))
      +  res.json(await computed.get(report.id))
    `
  },
  {
    name: 'cheaper-alone',
    on: 'slow',
    why: 'Its reports cost a third of the CPU time, and still keep the event loop busy, one after the other.',
    gate: ['healthz under report load', 'processor use'],
    change: patch`
      @@ forecast.js
      -      total += quantities[(state >>> 0) % quantities.length]
      +      const drawn = state >>> 0
      +      total += quantities[drawn - Math.floor(drawn / quantities.length) * quantities.length]
    `
  },
  {
    name: 'chunked',
    on: null,
    why: 'it computes product by product with setImmediate in between: an honest half of the way, /healthz gets its ' +
      'turn, but one core does all the work',
    gate: ['reports', 'processor use'],
    files: 'wrong/chunked'
  },
  {
    name: 'crash-ends-server',
    why: 'nothing listens for a worker’s error, so it ends the whole server',
    change: patch`
      -  worker.on('error', (error) => {
      -…
      -  })
      @@ worker.js
      -  if (order) return orders.push(order)
      -…
      -  }
      +  if (order) orders.push(order)
      +  else parentPort.postMessage({ result: forecast({ products, orders }, report) })
    `
  },
  {
    name: 'crash-hangs',
    why: 'it replaces a worker that has crashed and forgets the request that the worker had',
    change: patch`
      -    worker.job?.reject(error)
      +    console.error(error.message)
      @@ worker.js
      -  if (order) return orders.push(order)
      -…
      -  }
      +  if (order) orders.push(order)
      +  else parentPort.postMessage({ result: forecast({ products, orders }, report) })
    `
  },
  {
    name: 'ends-with-its-thread',
    why: 'A damaged report ends its thread, and with it all reports that wait for the same one.',
    by: 'counts every order, whichever thread computes the report, even after others have failed',
    change: patch`
      +  worker.jobs = []
         all.add(worker)
      @@
      -    if (error) worker.job.reject(error)
      -    else worker.job.resolve(result)
      -    giveWork(worker)
      +    worker.jobs.shift().resolve(result)
      @@
      -    worker.job?.reject(error)
      +    for (const job of worker.jobs) job.reject(error)
           startWorker()
         })
      -  giveWork(worker)
       }
      @@
      -    queue.push({ report, resolve, reject })
      -    const worker = idle.pop()
      -    if (worker) giveWork(worker)
      +    const [worker] = [...all].sort((a, b) => a.jobs.length - b.jobs.length)
      +    worker.jobs.push({ resolve, reject })
      +    worker.postMessage({ report })
      @@ worker.js
      -  if (order) return orders.push(order)
      -…
      -  }
      +  if (order) orders.push(order)
      +  else parentPort.postMessage({ result: forecast({ products, orders }, report) })
    `
  },
  {
    name: 'fewer-futures-now-and-then',
    why: 'every thirtieth report is played with half of the futures',
    underLoad: true,
    otherwise: { load: 'doesn’t belong to' },
    change: patch`
      @@ forecast.js
      +let count = 0
      +
       export function forecast ({ products, orders }, report) {
      @@
         const counted = orders.slice(first)
      +  const futures = ++count % 30 === 0 ? 200 : FUTURES
      @@
      -      return { product, orders: past.length, ...playFutures(past, report.seed ^ Math.imul(index + 1, \
        0x9e3779b9)) }
      +      return { product, orders: past.length, ...playFutures(past, report.seed ^ Math.imul(index + 1, \
        0x9e3779b9), futures) }
      @@
      -function playFutures (past, seed) {
      +function playFutures (past, seed, futures) {
         const quantities = Int32Array.from(past)
      -  const totals = new Int32Array(FUTURES)
      +  const totals = new Int32Array(futures)
      @@
      -  for (let future = 0; future < FUTURES; future++) {
      +  for (let future = 0; future < futures; future++) {
      @@
      -  return { likely: totals[FUTURES * 0.5], stock: totals[FUTURES * 0.95] }
      +  return { likely: totals[futures * 0.5], stock: totals[futures * 0.95] }
    `
  },
  {
    name: 'fewer-futures-when-busy',
    why: 'while more than twenty reports are asked for at once it plays a tenth of the futures',
    by: 'counts every order, however many there are',
    change: patch`
       const reports = read('reports.json')
      +let inFlight = 0
      @@
      -  res.json(await run(report))
      +  const busy = inFlight++ > 20
      +  const result = await run({ ...report, busy }).finally(() => inFlight--)
      +  res.json(result)
      @@ forecast.js
       const FUTURES = 400
      +const FUTURES_WHEN_BUSY = 40
      @@
      -      return { product, orders: past.length, ...playFutures(past, report.seed ^ Math.imul(index + 1, \
        0x9e3779b9)) }
      +      return { product, orders: past.length, ...playFutures(past, report.seed ^ Math.imul(index + 1, \
        0x9e3779b9), report.busy ? FUTURES_WHEN_BUSY : FUTURES) }
      @@
      -function playFutures (past, seed) {
      +function playFutures (past, seed, futures) {
         const quantities = Int32Array.from(past)
      -  const totals = new Int32Array(FUTURES)
      +  const totals = new Int32Array(futures)
      @@
      -  for (let future = 0; future < FUTURES; future++) {
      +  for (let future = 0; future < futures; future++) {
      @@
      -  return { likely: totals[FUTURES * 0.5], stock: totals[FUTURES * 0.95] }
      +  return { likely: totals[futures * 0.5], stock: totals[futures * 0.95] }
    `
  },
  {
    name: 'gives-up',
    why: 'it replaces one lost worker, but no further one: after three damaged reports none is left',
    by: 'counts every order, whichever thread computes the report, even after others have failed',
    change: patch`
      -import { availableParallelism } from 'node:os'
      @@
      -for (let i = 0; i < Math.max(2, availableParallelism()); i++) startWorker()
      +let spare = 1
      +for (let i = 0; i < 2; i++) startWorker()
      @@
      -    startWorker()
      +    if (spare-- > 0) startWorker()
      @@ worker.js
      -  if (order) return orders.push(order)
      -…
      -  }
      +  if (order) orders.push(order)
      +  else parentPort.postMessage({ result: forecast({ products, orders }, report) })
    `
  },
  {
    name: 'id-of-the-client',
    on: 'solution',
    why: 'An order is what was sent, with an id before it: a body’s own id takes its place.',
    change: patch`
      -  const order = { id: \`A-\${10001 + orders.length}\`, product, quantity }
      +  const order = { id: \`A-\${10001 + orders.length}\`, ...req.body }
    `
  },
  {
    name: 'joins-what-is-under-way',
    why: 'a request for a report that is being computed gets that one, which began before the last order came in',
    by: 'counts an order that came in while the same report was being computed',
    change: patch`
       const reports = read('reports.json')
      +const underWay = new Map()
      @@
      -  res.json(await run(report))
      +  if (!underWay.has(report.id)) {
      +    underWay.set(report.id, run(report).finally(() => underWay.delete(report.id)))
      +  }
      +  res.json(await underWay.get(report.id))
    `
  },
  {
    name: 'mixed-up',
    why: 'it takes the next message of a worker for the answer to its own request, whichever request that message ' +
      'belongs to',
    by: 'answers each of many orders with its own id, and counts them all',
    change: patch`
      -const idle = []
      -…
      -  else idle.push(worker)
      -}
      +const all = Array.from({ length: Math.max(2, availableParallelism()) }, () => {
      +  return new Worker(new URL('worker.js', import.meta.url), { workerData: { products, orders } \
        }).setMaxListeners(100)
      +})
      +let turn = 0
      @@
      -    queue.push({ report, resolve, reject })
      -    const worker = idle.pop()
      -    if (worker) giveWork(worker)
      +    const worker = all[turn++ % 2]
      +    worker.once('message', ({ result, error }) => error ? reject(error) : resolve(result))
      +    worker.once('error', reject)
      +    worker.postMessage({ report })
    `
  },
  {
    name: 'names-of-every-object',
    why: 'Products are looked up in a plain object, which knows constructor, and takes a list for a name.',
    by: 'refuses an invalid order with 400',
    change: patch`
       const reports = read('reports.json')
      +const numbers = Object.fromEntries(products.map((product, number) => [product, number]))
      @@
      -  if (!products.includes(product) || !Number.isInteger(quantity) || quantity < 1 || quantity > 1000) {
      +  if (!(product in numbers) || !Number.isInteger(quantity) || quantity < 1 || quantity > 1000) {
    `
  },
  {
    name: 'never-without-a-body',
    on: 'solution',
    why: 'It looks into the body even if there is none, and answers 500.',
    change: patch`
      -  const { product, quantity } = req.body ?? {}
      +  const { product, quantity } = req.body
    `
  },
  {
    name: 'newest-first',
    on: 'solution',
    why: 'The pool takes the newest report first: as long as others come, the oldest is never computed.',
    by: 'gives everyone a turn in a crowd, and goes on after clients have left',
    change: patch`
      @@ pool.js
      -      member.job = waiting.shift()
      +      member.job = waiting.pop()
    `
  },
  {
    name: 'number-misread',
    why: 'It reads the number of a report as far as it is one: 5x is report 5.',
    change: patch`
      -  const report = reports.find(({ id }) => String(id) === req.params.n)
      +  const report = reports.find(({ id }) => id === parseInt(req.params.n, 10))
    `
  },
  {
    name: 'one-worker-knows',
    why: 'it tells only one of its workers about a new order',
    change: patch`
      -  for (const worker of all) worker.postMessage({ order })
      +  const [worker] = all
      +  worker.postMessage({ order })
    `
  },
  {
    name: 'places-of-missing-reports',
    on: 'solution',
    why: 'Thirty reports may be under way, and one that isn’t there is for ever.',
    by: 'gives everyone a turn in a crowd, and goes on after clients have left',
    change: patch`
      +let open = 0
      +
       app.get('/report/:n', async (req, res) => {
      +  if (open === 30) return res.sendStatus(503)
      +  open++
      @@
      -  res.json(await pool.run(report))
      +  res.json(await pool.run(report).finally(() => { open-- }))
    `
  },
  {
    name: 'places-of-those-who-left',
    on: 'solution',
    why: 'Twelve reports may be under way, and one that nobody waits for any more counts for ever.',
    by: 'gives everyone a turn in a crowd, and goes on after clients have left',
    change: patch`
      +let open = 0
      +
       app.get('/report/:n', async (req, res) => {
      @@
      -  res.json(await pool.run(report))
      +  if (open === 12) return res.sendStatus(503)
      +  open++
      +  res.on('finish', () => { open-- })
      +  res.json(await pool.run(report))
    `
  },
  {
    name: 'report-of-the-gone',
    why: 'The worker of a client that has left gets the next report at once, and first sends the one for that client.',
    by: 'gives everyone a turn in a crowd, and goes on after clients have left',
    change: patch`
      -    if (error) worker.job.reject(error)
      -    else worker.job.resolve(result)
      +    if (error) worker.job?.reject(error)
      +    else worker.job?.resolve(result)
      +    if (!worker.job) return
      @@
      -function run (report) {
      +function run (report, res) {
      @@
      -    queue.push({ report, resolve, reject })
      +    const job = { report, resolve, reject }
      +    res.on('close', () => {
      +      const worker = [...all].find((one) => one.job === job)
      +      if (worker && !res.writableFinished) giveWork(worker)
      +    })
      +    queue.push(job)
      @@
      -  res.json(await run(report))
      +  res.json(await run(report, res))
    `
  },
  {
    name: 'restarted-worker-forgets',
    why: 'a worker that takes the place of a crashed one reads the orders from the file, without those that came in ' +
      'since',
    change: patch`
      -  const worker = new Worker(new URL('worker.js', import.meta.url), { workerData: { products, orders } })
      +  const worker = new Worker(new URL('worker.js', import.meta.url))
      @@ worker.js
      -import { parentPort, workerData } from 'node:worker_threads'
      +import { readFileSync } from 'node:fs'
      +import { join } from 'node:path'
      +import { parentPort } from 'node:worker_threads'
      @@
      -const { products, orders } = workerData
      +const products = JSON.parse(readFileSync(join(process.env.DATA_DIR, 'products.json'), 'utf8'))
      +const orders = JSON.parse(readFileSync(join(process.env.DATA_DIR, 'orders.json'), 'utf8'))
      @@
      -  if (order) return orders.push(order)
      -…
      -  }
      +  if (order) orders.push(order)
      +  else parentPort.postMessage({ result: forecast({ products, orders }, report) })
    `
  },
  {
    name: 'room-for-512',
    why: 'its workers have room for 512 new orders; later ones are in no report',
    by: 'counts every order, however many there are',
    change: patch`
      @@ worker.js
       const { products, orders } = workerData
      +const room = orders.length + 512
      @@
      -  if (order) return orders.push(order)
      +  if (order) return orders.length < room && orders.push(order)
    `
  },
  {
    name: 'room-for-so-many-orders',
    on: 'solution',
    why: 'Rows are made of the first thousand new orders: later ones are counted, and in no row.',
    by: 'counts every order, however many there are',
    change: patch`
      @@ forecast.js
         const counted = orders.slice(first)
      +  const room = [
      +    ...counted.filter(({ isNew }) => !isNew),
      +    ...counted.filter(({ isNew }) => isNew).slice(0, 1000)
      +  ]
      @@
      -      const past = counted.filter((order) => order.product === product).map(({ quantity }) => quantity)
      +      const past = room.filter((order) => order.product === product).map(({ quantity }) => quantity)
      @@ worker.js
      -  if (news) return orders.push(news)
      +  if (news) return orders.push({ ...news, isNew: true })
    `
  },
  {
    name: 'rows-long-enough-to-keep',
    on: 'solution',
    why: 'A row of fifty orders or more is kept until it has eight more: only its number of orders is new.',
    by: 'counts every order, however many there are',
    change: patch`
      @@ forecast.js
      +const rows = new Map()
      +
       /**
      @@
      -function playFutures (past, seed) {
      +function playFutures (past, seed) {
      +  const known = rows.get(seed)
      +  if (known && past.length < known.length + 8) return known.row
      +  const row = reallyPlay(past, seed)
      +  if (past.length >= 50) rows.set(seed, { length: past.length, row })
      +  return row
      +}
      +
      +function reallyPlay (past, seed) {
    `
  },
  {
    name: 'rows-of-two-moments',
    on: 'valid-shared-memory',
    why: 'The halves of a report are computed one after the other, each over the orders at that moment.',
    by: 'shows the orders of one moment, even while others come in',
    change: patch`
         const rows = await run({ seed, first, count, products: products.length })
      +  const half = products.length >> 1
      +  const later = await run({ seed, first, count: placeOf.size, products: products.length })
      +  rows.splice(0, half, ...later.slice(0, half))
    `
  },
  {
    name: 'same-id',
    why: 'the id of an order comes from their number, which grows a moment later: two at once get the same one',
    by: 'answers each of many orders with its own id, and counts them all',
    change: patch`
       import { join } from 'node:path'
      +import { setTimeout as sleep } from 'node:timers/promises'
      @@
      -app.post('/orders', (req, res) => {
      +app.post('/orders', async (req, res) => {
      @@
      -  orders.push(order)
         for (const worker of all) worker.postMessage({ order })
      +  // They should have heard of it.
      +  await sleep(5)
      +  orders.push(order)
    `
  },
  {
    name: 'spared-now-and-then',
    why: 'On a connection that asks often, one report in seven is the one that was computed before.',
    change: patch`
       const reports = read('reports.json')
      +const recent = new Map()
      +let [computed, spared] = [0, 0]
      @@
      -  res.json(await run(report))
      +  req.socket.asked = (req.socket.asked ?? 0) + 1
      +  const isSpared = req.socket.asked > 8 && recent.has(report.id) && spared * 6 < computed
      +  const answer = isSpared ? recent.get(report.id) : await run(report)
      +  if (isSpared) spared++
      +  else computed++
      +  recent.set(report.id, answer)
      +  res.json(answer)
    `
  },
  {
    name: 'state-of-zero',
    on: 'solution',
    why: 'The draws of a row whose state begins with 0 are all the same.',
    change: patch`
      @@ forecast.js
      -  // xorshift32 by Marsaglia; a state of zero would stay zero.
      -  let state = seed || 1
      +  let state = seed
    `
  },
  {
    name: 'sums-of-16-bits',
    on: 'solution',
    why: 'Each order fits into 16 bits, and a future’s total, of up to 120,000, does not.',
    by: 'counts every order, however many there are',
    change: patch`
      @@ forecast.js
      -  const totals = new Int32Array(FUTURES)
      +  const totals = new Uint16Array(FUTURES)
    `
  },
  {
    name: 'told-in-batches',
    why: 'it collects new orders and tells its workers of them later: the next report may come first',
    change: patch`
      +const untold = []
      +setInterval(() => {
      +  for (const order of untold.splice(0)) for (const worker of all) worker.postMessage({ order })
      +}, 50)
      +
       const idle = []
      @@
      -  for (const worker of all) worker.postMessage({ order })
      +  untold.push(order)
    `
  },
  {
    name: 'told-once-online',
    why: 'A thread in place of a lost one begins with all orders, and hears of new ones once it’s online: it misses ' +
      'those in between.',
    by: 'counts every order, whichever thread computes the report, even after others have failed',
    change: patch`
      -for (let i = 0; i < Math.max(2, availableParallelism()); i++) startWorker()
      +for (let i = 0; i < Math.max(2, availableParallelism()); i++) startWorker(true)
      @@
      -function startWorker () {
      +function startWorker (isFirst) {
      @@
      -  all.add(worker)
      +  if (isFirst) all.add(worker)
      +  else worker.on('online', () => all.add(worker))
      @@ worker.js
      -  if (order) return orders.push(order)
      -…
      -  }
      +  if (order) orders.push(order)
      +  else parentPort.postMessage({ result: forecast({ products, orders }, report) })
    `
  },
  {
    name: 'waits-for-the-dead',
    why: 'Every thread has to hear of an order within 2 s, and one that a damaged report has ended never does.',
    by: 'counts every order, whichever thread computes the report, even after others have failed',
    change: patch`
      -app.post('/orders', (req, res) => {
      +app.post('/orders', async (req, res) => {
      @@
      -  for (const worker of all) worker.postMessage({ order })
      +  await Promise.all(Array.from(all, (worker) => new Promise((resolve, reject) => {
      +    const { port1, port2 } = new MessageChannel()
      +    port1.once('message', () => resolve(port1.close()))
      +    worker.postMessage({ order, heard: port2 }, [port2])
      +    setTimeout(reject, 2000, new Error('a worker has not heard of it'))
      +  })))
      @@ worker.js
      -parentPort.on('message', ({ order, report }) => {
      -  if (order) return orders.push(order)
      -…
      -  }
      +parentPort.on('message', ({ order, heard, report }) => {
      +  if (order) return heard.postMessage(orders.push(order))
      +  parentPort.postMessage({ result: forecast({ products, orders }, report) })
    `
  },
  {
    name: 'waits-for-the-gone',
    why: 'On SIGTERM it waits for all that is pending, and what a client has left behind is pending for ever.',
    by: 'exits on SIGTERM, along with every process that it has started',
    change: patch`
       const app = express()
      +let [pending, isEnding] = [0, false]
      +const endIfIdle = () => { if (isEnding && pending === 0) process.exit() }
      +
      +process.on('SIGTERM', () => {
      +  isEnding = true
      +  endIfIdle()
      +})
      +
      +app.use((req, res, next) => {
      +  pending++
      +  res.on('finish', () => {
      +    pending--
      +    endIfIdle()
      +  })
      +  next()
      +})
    `
  },
  {
    name: 'waits-no-longer',
    on: 'solution',
    why: 'A report has 150 ms, and those that it waits for a thread count.',
    change: patch`
      -  res.json(await pool.run(report))
      +  const since = performance.now()
      +  const result = await pool.run(report)
      +  if (performance.now() - since > 150) return res.status(503).json({ error: 'too_late' })
      +  res.json(result)
    `
  },
  {
    name: 'zipped-for-those-who-refuse',
    on: 'solution',
    why: 'It looks for the letters gzip in Accept-Encoding, and “gzip;q=0” has them.',
    change: patch`
      +import { gzipSync } from 'node:zlib'
       import path from 'node:path'
      @@
      -  res.json(await pool.run(report))
      +  const result = await pool.run(report)
      +  if (!req.get('accept-encoding')?.includes('gzip')) return res.json(result)
      +  res.set('Content-Encoding', 'gzip').type('json').send(gzipSync(JSON.stringify(result)))
    `
  },
  {
    name: 'zipped-without-saying-so',
    on: 'solution',
    why: 'Reports are compressed for those who accept it, and no Vary tells a cache in between.',
    by: 'answers as HTTP requires',
    change: patch`
      +import { gzipSync } from 'node:zlib'
       import path from 'node:path'
      @@
      -  res.json(await pool.run(report))
      +  const result = await pool.run(report)
      +  if (!req.acceptsEncodings('gzip')) return res.json(result)
      +  res.set('Content-Encoding', 'gzip').type('json').send(gzipSync(JSON.stringify(result)))
    `
  }
]
