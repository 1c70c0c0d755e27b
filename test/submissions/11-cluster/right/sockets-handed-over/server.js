import { fork } from 'node:child_process'
import net from 'node:net'
import { availableParallelism } from 'node:os'

const { PORT = 3000, HOST = '127.0.0.1' } = process.env
let visits = 0
let turn = 0
const workers = []

/** This process takes connections in, gives them away in turn, and counts. */
function startWorker () {
  const worker = fork(new URL('worker.js', import.meta.url))
  workers.push(worker)
  worker.on('message', ({ id, add }) => {
    visits += add
    worker.send({ id, visits }, () => {})
  })
  worker.on('error', () => {})
  worker.on('exit', (code) => {
    workers.splice(workers.indexOf(worker), 1)
    setTimeout(startWorker, code === 1 ? 500 : 0)
  })
}

for (let i = 0; i < Math.max(2, availableParallelism()); i++) startWorker()

net.createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
  const worker = workers[turn++ % workers.length]
  if (worker === undefined) return socket.destroy()
  worker.send({ connection: true }, socket, (error) => error && socket.destroy())
}).listen(Number(PORT), HOST)
