import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

// More threads than cores would not hash any faster.
const THREADS = availableParallelism()
const idle = Array.from({ length: THREADS }, () => new Worker(new URL('./hash-worker.js', import.meta.url)))
const waiting = []

/** Like pbkdf2 of node:crypto, but on separate threads: libuv's pool is left to file reads. */
export function pbkdf2 (password, salt, iterations, length, digest) {
  return new Promise((resolve, reject) => {
    waiting.push({ parameters: [password, salt, iterations, length, digest], resolve, reject })
    next()
  })
}

function next () {
  if (idle.length === 0 || waiting.length === 0) return
  const worker = idle.pop()
  const { parameters, resolve, reject } = waiting.shift()
  worker.once('message', ({ hash, error }) => {
    idle.push(worker)
    if (error) reject(error)
    else resolve(Buffer.from(hash))
    next()
  })
  worker.postMessage(parameters)
}
