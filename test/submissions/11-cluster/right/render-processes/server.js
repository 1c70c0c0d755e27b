import { fork } from 'node:child_process'
import http from 'node:http'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'

const { PORT = 3000, HOST = '127.0.0.1', DATA_DIR = '.' } = process.env
const terrain = JSON.parse(readFileSync(path.join(DATA_DIR, 'terrain.json'), 'utf8'))
const last = (terrain.size - 1) * terrain.cell - 100
let visits = 0

// This process serves and counts. Others render, one panorama at a time; a lost one's panorama is rendered again.
const idle = []
const queue = []
for (let i = 0; i < availableParallelism(); i++) startRenderer()

function startRenderer () {
  const renderer = fork(new URL('render.js', import.meta.url))
  let task
  renderer.take = (next) => {
    task = next
    renderer.send({ x: task.x, y: task.y }, () => {})
  }
  renderer.on('message', (view) => {
    task?.resolve(view)
    task = undefined
    if (queue.length > 0) renderer.take(queue.shift())
    else idle.push(renderer)
  })
  renderer.on('exit', () => {
    if (idle.includes(renderer)) idle.splice(idle.indexOf(renderer), 1)
    if (task) queue.unshift(task)
    startRenderer()
  })
}

function render (x, y) {
  return new Promise((resolve) => {
    const task = { x, y, resolve }
    if (idle.length > 0) idle.shift().take(task)
    else queue.push(task)
  })
}

http.createServer(async (req, res) => {
  if (req.url === '/visits') return answer(res, 200, { visits })
  const [x, y] = /^\/panorama\/(\d{1,5})\/(\d{1,5})$/.exec(req.url)?.slice(1).map(Number) ?? [0, 0]
  if (Math.min(x, y) < 100 || Math.max(x, y) > last) return answer(res, 404, { error: 'not_found' })
  const view = await render(x, y)
  answer(res, 200, { ...view, visit: ++visits })
}).listen(Number(PORT), HOST)

function answer (res, status, value) {
  const body = JSON.stringify(value)
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body)
  }).end(body)
}
