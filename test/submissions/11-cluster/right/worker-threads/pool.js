import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** Threads render; the main thread serves, and has all state. */
export function startPool (terrain) {
  const queue = []
  const threads = Array.from({ length: availableParallelism() }, () => {
    const worker = new Worker(new URL('thread.js', import.meta.url), { workerData: terrain })
    const thread = { worker, task: undefined }
    worker.on('message', (view) => {
      thread.task(view)
      thread.task = undefined
      next()
    })
    return thread
  })

  function next () {
    const free = threads.find(({ task }) => !task)
    if (!free || queue.length === 0) return
    const { x, y, resolve } = queue.shift()
    free.task = resolve
    free.worker.postMessage({ x, y })
  }

  return (x, y) => new Promise((resolve) => {
    queue.push({ x, y, resolve })
    next()
  })
}
