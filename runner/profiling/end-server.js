import { setTimeout as sleep } from 'node:timers/promises'

/**
 * @import { Hub } from '../inside/index.js'
 * @import { Server } from '../process/index.js'
 */

/** How long a server may run after its last request before process.exit() ends it, ms. */
const graceMs = 2000

/**
 * Lets a server run out of work and waits for its end: a signal would lose what it hasn't written yet.
 *
 * @param {object} given
 * @param {Server} given.server
 * @param {Hub} given.hub
 * @param {AbortSignal} given.signal
 * @param {number} given.timeoutMs
 * @returns {Promise<boolean>} has it ended? Otherwise it's still running
 */
export async function endServer ({ server, hub, signal, timeoutMs }) {
  await hub.ask('end', { graceMs })
  const waiting = new AbortController()
  const limit = sleep(timeoutMs, undefined, { signal: AbortSignal.any([signal, waiting.signal]) }).catch(() => {})
  await Promise.race([server.exited, limit])
  waiting.abort()
  signal.throwIfAborted()
  return server.hasExited()
}
