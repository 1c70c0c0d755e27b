import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

const size = Math.max(2, availableParallelism())
const waiting = []
const idle = []
let alive = 0

while (alive < size) start()

/** Hashes in threads of our own; libuv's pool stays free for files. */
export function hash (work) {
  return new Promise((resolve, reject) => {
    waiting.push({ work, resolve, reject })
    next()
  })
}

function start () {
  alive++
  const thread = { worker: new Worker(new URL('hasher.js', import.meta.url)), task: null }
  idle.push(thread)
  thread.worker.on('message', ({ derived, error }) => {
    const { task } = thread
    thread.task = null
    idle.push(thread)
    if (error) task.reject(error)
    else task.resolve(derived)
    next()
  })
  thread.worker.on('error', (error) => console.error(error))
  thread.worker.on('exit', () => {
    alive--
    const place = idle.indexOf(thread)
    if (place !== -1) idle.splice(place, 1)
    thread.task?.reject(new Error('A hashing thread ended'))
    start()
    next()
  })
}

function next () {
  while (waiting.length > 0 && idle.length > 0) {
    const thread = idle.pop()
    thread.task = waiting.shift()
    thread.worker.postMessage(thread.task.work)
  }
}
