import { signalOurs } from '../system/index.js'
import { send, timeFor } from './client.js'
import { ContractError } from './answer.js'
import { withUpstream } from './with-upstream.js'

/**
 * @import { Server, Started, StartOptions } from '../session/index.js'
 * @import { Request } from './client.js'
 * @import { Another, Given } from './given.js'
 *
 * @typedef {(options?: Pick<StartOptions, 'files'>) => Promise<Started>} StartAnother
 */

/**
 * Servers that a check starts for itself, and their end.
 *
 * @param {StartAnother} start
 * @returns {{ another: Given['another'], stopAll: () => Promise<void> }}
 */
export function createOthers (start) {
  /** @type {Server[]} */
  const servers = []
  return {
    another: async (options) => {
      const { server, failure } = await start(options)
      if (failure !== null) throw new ContractError(`started again, it failed: ${failure}`)
      servers.push(server)
      return handleOf(server)
    },
    stopAll: async () => {
      await Promise.all(servers.map((server) => server.stop()))
    }
  }
}

/** @param {Server} server @returns {Another} */
function handleOf (server) {
  const ask = (/** @type {Request} */ request) => send(server.origin, request, timeFor(server))
  return withUpstream({
    send: ask,
    get: (path, options) => ask({ ...options, path }),
    post: (path, options) => ask({ ...options, path, method: 'POST' }),
    dataDir: server.dataDir,
    children: server.children,
    end: (pid, signal = 'SIGKILL') => { signalOurs(server.proof, signal, (one) => one.pid === pid) },
    stop: server.stop,
    canAsk: process.platform !== 'win32'
  }, server.upstream)
}
