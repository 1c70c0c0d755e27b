import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'

// A worker that never got as far as listening would die again at once.
const RETRY_MS = 500
const WRONG_PINS = 5

/** Starts the workers, replaces each that dies, and answers their questions. It computes nothing, so it won't crash. */
export function startPrimary () {
  const shared = sharedState()
  let stopping = false
  const listening = new Set()

  cluster.on('listening', (worker) => listening.add(worker.id))

  cluster.on('message', (worker, { id, call, args }) => {
    // The worker may be gone by now, and its client with it.
    worker.send({ id, result: shared[call](...args) }, () => {})
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

  // At least two: while one is being replaced, the other responds.
  for (let i = 0; i < Math.max(2, availableParallelism()); i++) cluster.fork()
}

/** What one request leaves for another. Each function is one step: it reads and writes, and nothing comes between. */
function sharedState () {
  const sessions = new Map()
  const wrongPins = new Map()
  return {
    logIn (name, isRight) {
      const wrong = wrongPins.get(name) ?? 0
      if (wrong >= WRONG_PINS) return { locked: true }
      if (!isRight) {
        wrongPins.set(name, wrong + 1)
        return {}
      }
      const session = randomBytes(24).toString('hex')
      sessions.set(session, name)
      return { session }
    },
    nameOf: (session) => sessions.get(session)
  }
}
