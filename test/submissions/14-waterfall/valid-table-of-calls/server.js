import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'

if (cluster.isPrimary) {
  for (let i = 0; i < Math.max(2, availableParallelism()); i++) cluster.fork()
  cluster.on('exit', (worker, code) => setTimeout(() => cluster.fork(), code === 0 ? 0 : 500))
} else {
  await import('./worker.js')
}
