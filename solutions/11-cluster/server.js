import cluster from 'node:cluster'
import { startPrimary } from './primary.js'

if (cluster.isPrimary) {
  startPrimary()
} else {
  // Only workers need the map, and only they listen.
  await import('./worker.js')
}
