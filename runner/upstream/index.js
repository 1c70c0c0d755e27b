import { fileURLToPath } from 'node:url'
import { startHelper } from '../helper/index.js'

/**
 * The service behind the servers, owned by the grader: a process of its own, one port for each server, so that it knows
 * who called it, when and for what.
 *
 * @typedef {object} Call
 * @property {string} method
 * @property {string} path with its query string
 * @property {number} startMs on the stub's clock
 * @property {number | null} endMs null while it is under way
 * @property {number} status 0 while it is under way
 *
 * @typedef {object} Fault
 * @property {string} path the beginning of the paths that it hits
 * @property {number} [status] answered instead of the real answer
 * @property {number} [delayMs] waited in addition
 * @property {boolean} [hang] never answered
 * @property {boolean} [reset] the connection is cut
 *
 * @typedef {object} Upstream what one server talks to
 * @property {string} url its UPSTREAM_URL
 * @property {() => Promise<Call[]>} calls since the last reset
 * @property {() => Promise<number>} count how many calls since the last reset
 * @property {(faults?: Fault[]) => Promise<void>} reset forgets the calls, and sets what goes wrong from now on
 *
 * @typedef {object} UpstreamProcess
 * @property {() => Promise<Upstream>} open one more port
 * @property {() => Promise<void>} close
 */

/**
 * @param {object} options
 * @param {string} options.module URL of a lesson with `upstream`
 * @param {any} options.known
 * @param {string} options.seed
 * @param {import('../guard/index.js').Guard} options.guard
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<UpstreamProcess>}
 */
export async function startUpstream ({ module, known, seed, guard, signal }) {
  const file = fileURLToPath(new URL('stub.js', import.meta.url))
  const { ask, close } = await startHelper({ file, name: 'The upstream', guard, signal }, 'load', { module, known, seed })
  return {
    close,
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
