import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'

// A worker that never got as far as listening would die again at once.
const RETRY_MS = 500

/**
 * Starts the workers, replaces each that dies, and counts the visits, which is the only state that they share. It
 * renders nothing, so little can make it crash.
 */
export function startPrimary () {
  let visits = 0
  let stopping = false
  const listening = new Set()

  cluster.on('listening', (worker) => listening.add(worker.id))

  cluster.on('message', (worker, { id, add }) => {
    visits += add
    // The worker may be gone by now, and its client with it.
    worker.send({ id, visits }, () => {})
  })

  cluster.on('exit', (worker) => {
    const worked = listening.delete(worker.id)
    if (!stopping) return setTimeout(() => stopping || cluster.fork(), worked ? 0 : RETRY_MS)
    if (Object.keys(cluster.workers).length === 0) process.exit()
  })

  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      stopping = true
      for (const worker of Object.values(cluster.workers)) worker.process.kill(signal)
    })
  }

  // At least two: while one is being replaced, the other answers.
  for (let i = 0; i < Math.max(2, availableParallelism()); i++) cluster.fork()
}
