import { send } from './client.js'

/**
 * @import { Server } from '../session/index.js'
 * @import { Answer } from './answer.js'
 * @import { Request } from './client.js'
 */

/** The slow server beside the one under test is of no use: our fault, not the submission's. */
export class MirrorError extends Error {}

/**
 * The slow server beside the one under test. It gets the same writes, so that both hold the same state whenever their
 * answers are compared. It is started when a check first compares, and then catches up.
 *
 * @typedef {object} Mirror
 * @property {(request: Request) => void} write tells it of a request that may change something
 * @property {(request: Request) => Promise<Answer>} ask
 */

/**
 * @param {() => Promise<Server>} start
 * @returns {Mirror}
 */
export function createMirror (start) {
  /** @type {Request[]} */
  const missed = []
  /** @type {Promise<Server> | null} */
  let started = null

  const server = async () => {
    started ??= start()
    const { origin } = await started.catch((error) => {
      throw new MirrorError(`The slow server to compare with did not start: ${error.message}`, { cause: error })
    })
    // One after the other: the order of writes is part of the state.
    for (let request = missed.shift(); request; request = missed.shift()) await send(origin, request).catch(() => {})
    return origin
  }
  return {
    write: (request) => {
      if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? 'GET')) missed.push(request)
    },
    ask: async (request) => {
      const origin = await server()
      return send(origin, request).catch((error) => {
        throw new MirrorError(`The slow server gave no answer to compare with: ${error.message}`, { cause: error })
      })
    }
  }
}
