import { fileURLToPath } from 'node:url'
import { patienceMs } from '../process/index.js'

/**
 * @import { SliceReport } from '../judge/index.js'
 * @import { Session } from '../process/index.js'
 * @import { ReadOrder, SliceOrder } from './generator.js'
 *
 * @typedef {object} Generator
 * @property {(order: SliceOrder) => Promise<SliceReport>} slice
 * @property {(order: ReadOrder) => Promise<{ answers: number }>} read asks what the lesson's operations ask that change
 *   nothing, on eight connections; the answers are not verified
 * @property {(instance: string) => Promise<Pick<SliceReport, 'wrong' | 'badStatus' | 'problems'>>} verify what a slice
 *   with `verifyLater` left
 * @property {(instance: string) => Promise<void>} forget
 * @property {number} pid
 */

/**
 * Starts the load generator.
 *
 * @param {Session} session
 * @returns {Promise<Generator>} its end is the session's
 */
export async function startGenerator ({ startHelper, module, data, seed }) {
  const file = fileURLToPath(new URL('generator.js', import.meta.url))
  // V8 collects garbage on other cores too, where the server is that is measured.
  const execArgv = ['--single-threaded-gc']
  const { child, ask } = await startHelper({ file, name: 'The load generator', execArgv }, 'open', {
    module,
    data,
    seed
  })
  return {
    pid: Number(child.pid),
    slice: (order) => ask('slice', order, order.sliceMs + patienceMs),
    read: (order) => ask('read', order),
    verify: (instance) => ask('verify', { instance }),
    forget: (instance) => ask('forget', { instance })
  }
}
