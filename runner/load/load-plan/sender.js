import { fileURLToPath } from 'node:url'

/**
 * @import { Session } from '../../process/index.js'
 * @import { CompareOrder, Comparison } from './compare-order.js'
 *
 * @typedef {object} Sender the process that carries out plans
 * @property {(order: CompareOrder) => Promise<Comparison>} compare
 */

/**
 * @param {Session} session whose lesson says what a right answer is
 * @returns {Promise<Sender>} its end is the session's
 */
export async function startSender ({ startHelper, module }) {
  const file = fileURLToPath(new URL('sender-process.js', import.meta.url))
  const { ask } = await startHelper({ file, name: 'The load generator' }, 'open', { module })
  return { compare: (order) => ask('compare', order) }
}
