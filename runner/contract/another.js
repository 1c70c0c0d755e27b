import { signalOurs } from '../system/index.js'
import { send } from './client.js'
import { ContractError } from './answer.js'

/**
 * Servers that a check starts for itself, and their end.
 *
 * @param {() => Promise<import('../server/start.js').Started>} start
 * @returns {{ another: () => Promise<import('./given.js').Another>, stopAll: () => Promise<void> }}
 */
export function createNursery (start) {
  /** @type {import('../server/start.js').Server[]} */
  const servers = []
  return {
    another: async () => {
      const { server, failure } = await start()
      if (failure !== null) throw new ContractError(`started once more, it failed: ${failure}`)
      servers.push(server)
      return handleOf(server)
    },
    stopAll: async () => {
      await Promise.all(servers.map((server) => server.stop()))
    }
  }
}

/** @param {import('../server/start.js').Server} server @returns {import('./given.js').Another} */
function handleOf (server) {
  const ask = (/** @type {import('./client.js').Request} */ request) => send(server.origin, request)
  return {
    send: ask,
    get: (path, options) => ask({ ...options, path }),
    post: (path, options) => ask({ ...options, path, method: 'POST' }),
    dataDir: server.dataDir,
    get upstream () {
      if (!server.upstream) throw new Error('this lesson has no upstream')
      return server.upstream
    },
    children: server.children,
    end: (pid) => { signalOurs(server.proof, 'SIGKILL', (one) => one.pid === pid) },
    stop: server.stop,
    canAsk: process.platform !== 'win32'
  }
}
