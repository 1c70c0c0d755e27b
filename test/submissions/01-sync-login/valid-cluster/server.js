import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'

// Every process hashes and answers; the first one keeps what they have to share.
if (cluster.isPrimary) {
  const { keepTokens } = await import('./tokens.js')
  const start = () => keepTokens(cluster.fork())
  cluster.on('exit', start)
  for (let i = 0; i < Math.max(2, availableParallelism()); i++) start()
} else {
  await import('./worker.js')
}
