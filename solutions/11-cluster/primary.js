import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'

// A worker that never got as far as listening would die again at once.
const RETRY_MS = 500

/**
 * Starts the workers, puts a new one in the place of each that dies, and counts the visits: the one thing that all of
 * them share. It renders nothing, so it has little to die of.
 */
export function startPrimary () {
  let visits = 0
  let stopping = false
  const listening = new Set()

  cluster.on('listening', (worker) => listening.add(worker.id))

  cluster.on('message', (worker, { id, add }) => {
    visits += add
    // The worker may be gone by now; its client is, too.
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

  // Two at least: while one is replaced, the other answers.
  for (let i = 0; i < Math.max(2, availableParallelism()); i++) cluster.fork()
}
