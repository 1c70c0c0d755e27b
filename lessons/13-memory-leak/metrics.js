import { setTimeout as sleep } from 'node:timers/promises'
import { LateError } from '../../runner/contract/index.js'

/** ms between an answer and its count. */
const patienceMs = 1500

/** @param {Record<string, number>} answers by status */
export function countOf (answers) {
  return Object.values(answers).reduce((sum, count) => sum + count, 0)
}

/**
 * What `GET /metrics` says, once there was time to count.
 *
 * @param {() => Promise<any>} read @param {number} most
 * @param {number} [patience] how many times the usual time it may take
 * @throws {LateError} too few so far
 */
export async function metricsOnce (read, most, patience = 1) {
  for (const deadline = performance.now() + patience * patienceMs; ; await sleep(30)) {
    const metrics = await read()
    const count = countOf(metrics.answers)
    if (count >= most) return metrics
    if (performance.now() > deadline) throw new LateError(`GET /metrics: it counts ${count} answers of ${most}`)
  }
}
