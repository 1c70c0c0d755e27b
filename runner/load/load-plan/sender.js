import { fileURLToPath } from 'node:url'

/**
 * @import { Session } from '../../session/index.js'
 * @import { LoadPlan } from './plan.js'
 *
 * @typedef {object} CompareOrder
 * @property {[number, number]} ports on 127.0.0.1
 * @property {LoadPlan} plan
 * @property {number[]} first for each round, which server is first: 0 or 1
 *
 * @typedef {object} Comparison what a plan shows of two servers, in the order in which they were given
 * @property {[number | null, number | null]} figures null where no answer came
 * @property {number} answers of both
 * @property {number} wrong answers, and requests without one
 * @property {string[]} problems the first few, as sentences
 * @property {number} elapsedMs
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
