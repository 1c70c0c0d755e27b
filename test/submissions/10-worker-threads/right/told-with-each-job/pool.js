import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** Threads that compute reports. Each gets, with its next report, the orders that it has not heard of. */
export function createPool ({ products, orders, size = availableParallelism() }) {
  const queue = []
  const idle = []
  let alive = 0
  while (alive < size) start()

  return (report) => new Promise((resolve, reject) => {
    queue.push({ report, resolve, reject })
    next()
  })

  function start () {
    alive++
    const worker = new Worker(new URL('worker.js', import.meta.url), { workerData: { products } })
    const thread = { worker, known: 0, task: null }
    idle.push(thread)
    thread.worker.on('message', ({ result, failure }) => {
      const { task } = thread
      thread.task = null
      idle.push(thread)
      if (failure === undefined) task.resolve(result)
      else task.reject(new Error(failure))
      next()
    })
    thread.worker.on('error', (error) => console.error(error))
    thread.worker.on('exit', () => {
      alive--
      const place = idle.indexOf(thread)
      if (place !== -1) idle.splice(place, 1)
      thread.task?.reject(new Error('The thread of this report has ended'))
      start()
      next()
    })
  }

  function next () {
    while (queue.length > 0 && idle.length > 0) {
      const thread = idle.shift()
      thread.task = queue.shift()
      const fresh = orders.slice(thread.known)
      thread.known = orders.length
      thread.worker.postMessage({ fresh, report: thread.task.report })
    }
  }
}
