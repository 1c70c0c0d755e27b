import { fileURLToPath } from 'node:url'
import { startHelper } from '../helper/index.js'

/**
 * @typedef {object} SliceOrder
 * @property {string} life whose life, and which: `yours#2`; a server that was started anew has a new one
 * @property {string} load name of the lesson's load
 * @property {number} port on 127.0.0.1
 * @property {number} sliceMs
 * @property {number} sliceAnswers
 * @property {number} [exactly]
 * @property {number} [rate] requests/s: an open loop instead of a closed one
 * @property {number} [answerTimeoutMs]
 * @property {boolean} [unchecked] do not judge the answers
 *
 * @typedef {object} Extra
 * @property {number[]} accepted in an open loop: latencies of the answers that were no refusals, ms from the moment at
 *   which each request was due
 * @property {number[]} refused in an open loop: the same of the refusals
 * @property {number} lateMs in an open loop: 99th percentile of how late the generator itself sent
 * @property {number} busy the generator's event loop utilisation, 0 to 1
 * @property {number} cpuMs the generator's CPU time
 * @property {number[]} probes latencies of the open loop in ms, from the moment at which each request was due
 * @property {number} probeLateMs 99th percentile of how late the generator itself sent them
 * @property {import('./closed-loop.js').Problem[]} lost connections and answers that were lost
 * @property {number} wrong answers that were complete and wrong
 * @property {number} badStatus those of them with a status of 400 or more
 * @property {import('./closed-loop.js').Problem[]} problems the first few of the wrong ones
 *
 * @typedef {import('./figures.js').SliceFigures & Extra} SliceReport
 *
 * @typedef {object} Generator
 * @property {(order: SliceOrder) => Promise<SliceReport>} slice
 * @property {(life: string) => Promise<void>} forget
 * @property {number} pid
 * @property {() => Promise<void>} close
 */

/**
 * Starts the load generator.
 *
 * @param {object} options
 * @param {string} options.module URL of a module whose default export has `loads` and, if it likes, `model`
 * @param {any} options.known handed to the streams as `data`
 * @param {string} options.seed
 * @param {import('../guard/index.js').Guard} options.guard
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<Generator>}
 */
export async function startGenerator ({ module, known, seed, guard, signal }) {
  const file = fileURLToPath(new URL('generator.js', import.meta.url))
  // V8 collects garbage on other cores too, where the server is that is measured.
  const execArgv = ['--single-threaded-gc']
  const options = { file, name: 'The load generator', guard, execArgv, signal }
  const { child, ask, close } = await startHelper(options, 'open', { module, known, seed })
  return {
    pid: Number(child.pid),
    close,
    slice: (order) => ask('slice', order),
    forget: (life) => ask('forget', { life })
  }
}
