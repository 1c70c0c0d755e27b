import http from 'node:http'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { panorama } from './panorama.js'

// No processes: threads render, the main thread serves and counts.
if (isMainThread) serve()
else parentPort.on('message', ({ x, y }) => parentPort.postMessage(panorama(workerData, x, y)))

function serve () {
  const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
  const terrain = JSON.parse(readFileSync(path.join(DATA_DIR, 'terrain.json'), 'utf8'))
  const last = (terrain.size - 1) * terrain.cell - 100
  const queue = []
  const threads = Array.from({ length: availableParallelism() }, () => {
    const thread = { worker: new Worker(new URL(import.meta.url), { workerData: terrain }), task: undefined }
    thread.worker.on('message', (view) => {
      thread.task(view)
      thread.task = undefined
      next()
    })
    return thread
  })
  let visits = 0

  function next () {
    const free = threads.find(({ task }) => !task)
    if (!free || queue.length === 0) return
    const { x, y, resolve } = queue.shift()
    free.task = resolve
    free.worker.postMessage({ x, y })
  }

  http.createServer(async (req, res) => {
    if (req.url === '/visits') return answer(res, 200, { visits })
    const [x, y] = /^\/panorama\/(\d{1,5})\/(\d{1,5})$/.exec(req.url)?.slice(1).map(Number) ?? [0, 0]
    if (Math.min(x, y) < 100 || Math.max(x, y) > last) return answer(res, 404, { error: 'not_found' })
    const view = await new Promise((resolve) => {
      queue.push({ x, y, resolve })
      next()
    })
    answer(res, 200, { ...view, visit: ++visits })
  }).listen(Number(PORT), HOST)
}

function answer (res, status, value) {
  const body = JSON.stringify(value)
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body)
  }).end(body)
}
