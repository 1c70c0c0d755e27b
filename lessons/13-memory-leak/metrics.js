import { setTimeout as sleep } from 'node:timers/promises'

/** ms between an answer and its count. */
const patienceMs = 1500

/** @param {Record<string, number>} answers by status */
export function countOf (answers) {
  return Object.values(answers).reduce((sum, count) => sum + count, 0)
}

/** What `GET /metrics` says, once there was time to count. @param {() => Promise<any>} read @param {number} most */
export async function metricsOnce (read, most) {
  for (const deadline = performance.now() + patienceMs; ; await sleep(30)) {
    const metrics = await read()
    if (countOf(metrics.answers) >= most || performance.now() > deadline) return metrics
  }
}
