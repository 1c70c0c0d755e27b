import { fileURLToPath } from 'node:url'

/**
 * The service behind the servers, owned by the grader: a separate process, one port for each server, so that it knows
 * who called it, when and for what.
 *
 * @import { StartHelper } from '../helper/spawn.js'
 * @import { Upstream } from './types.js'
 *
 * @typedef {object} UpstreamProcess
 * @property {() => Promise<Upstream>} open one more port
 */

/**
 * @param {StartHelper} startHelper
 * @param {{ module: string, data: any, seed: string }} order module: URL of a lesson with `upstream`
 * @returns {Promise<UpstreamProcess>} its end is the session's
 */
export async function startUpstream (startHelper, order) {
  const file = fileURLToPath(new URL('stub.js', import.meta.url))
  const { ask } = await startHelper({ file, name: 'The upstream' }, 'load', order)
  return {
    open: async () => {
      const port = await ask('open', {})
      return {
        url: `http://127.0.0.1:${port}`,
        calls: () => ask('calls', { port }),
        count: () => ask('count', { port }),
        reset: (faults = []) => ask('reset', { port, faults })
      }
    }
  }
}
