import http from 'node:http'

/**
 * @import { Given, Request } from '../../runner/contract/index.js'
 * @import { Random } from '../../runner/lesson/index.js'
 */

/**
 * For very many requests, of which each would cost a connection more than what it asks for.
 *
 * @template T
 * @param {(agent: http.Agent) => Promise<T>} act its requests have this agent
 * @returns {Promise<T>}
 */
export async function onKeptConnections (act) {
  const agent = new http.Agent({ keepAlive: true })
  return act(agent).finally(() => agent.destroy())
}

/**
 * Does many things, so many of them at once: a crowd that a server can take, and more than anything bounded holds.
 *
 * @template T
 * @param {{ count: number, atOnce: number }} size count: a multiple of atOnce
 * @param {(index: number, agent: http.Agent) => Promise<T>} act agent: for connections that are kept
 * @returns {Promise<T[]>}
 */
export async function inBatches ({ count, atOnce }, act) {
  return onKeptConnections(async (agent) => {
    const results = []
    for (let from = 0; from < count; from += atOnce) {
      results.push(...await Promise.all(Array.from({ length: atOnce }, (_, i) => act(from + i, agent))))
    }
    return results
  })
}

/**
 * Clients that leave in the middle of what they send, or when they have sent it.
 *
 * @param {Pick<Given, 'send'>} server
 * @param {{ count: number, leaveMs: number, chunked?: boolean }} who leaveMs: so long after the first half; chunked:
 *   false: after the whole
 * @param {() => Request} draw with a body
 */
export async function leaveWithin ({ send }, { count, leaveMs, chunked = true }, draw) {
  await Promise.allSettled(Array.from({ length: count }, () => send({ ...draw(), chunked, leaveMs })))
}

/**
 * Draws in batches: slices hold few answers, and should hold the same share of each kind.
 *
 * @template T
 * @param {Random} random
 * @param {readonly T[]} mix one batch: each as often as its share
 * @param {readonly T[]} [first] what comes before the first batch, the last one first
 * @returns {() => T}
 */
export function inMix (random, mix, first = []) {
  let rest = [...first]
  return () => {
    if (rest.length === 0) rest = random.shuffle(mix)
    return /** @type {T} */ (rest.pop())
  }
}
