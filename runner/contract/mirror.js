import { send } from './client.js'

/**
 * The slow server beside the one under test. It gets the same writes, so that both hold the same state whenever their
 * answers are compared. It is started when a check first compares, and then catches up.
 *
 * @typedef {object} Mirror
 * @property {(request: import('./client.js').Request) => void} write tells it of a request that may change something
 * @property {(request: import('./client.js').Request) => Promise<import('./answer.js').Answer>} ask
 */

/**
 * @param {() => Promise<import('../server/start.js').Server>} start
 * @returns {Mirror}
 */
export function createMirror (start) {
  /** @type {import('./client.js').Request[]} */
  const missed = []
  /** @type {Promise<import('../server/start.js').Server> | null} */
  let started = null

  const server = async () => {
    started ??= start()
    const { origin } = await started
    // One after the other: the order of writes is part of the state.
    for (let request = missed.shift(); request; request = missed.shift()) await send(origin, request).catch(() => {})
    return origin
  }
  return {
    write: (request) => {
      if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? 'GET')) missed.push(request)
    },
    ask: async (request) => send(await server(), request)
  }
}
