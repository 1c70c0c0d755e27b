import { fileURLToPath } from 'node:url'
import { startHelper } from '../helper/index.js'

/**
 * @typedef {object} Comparison what a profile shows of two servers, in the order in which they were given
 * @property {[number | null, number | null]} figures null where no answer came
 * @property {number} answers of both
 * @property {number} wrong answers, and requests without one
 * @property {string[]} problems the first few, as sentences
 * @property {number} elapsedMs
 *
 * @typedef {object} Sender the process that carries out profiles
 * @property {(order: CompareOrder) => Promise<Comparison>} compare
 * @property {() => Promise<void>} close
 *
 * @typedef {object} CompareOrder
 * @property {[number, number]} ports on 127.0.0.1
 * @property {import('./profile.js').LoadProfile} profile
 * @property {(0 | 1)[]} first for each round, which server is first
 */

/**
 * @param {object} options
 * @param {string} options.module URL of the lesson, which says what a right answer is
 * @param {import('../guard/index.js').Guard} options.guard
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<Sender>}
 */
export async function startSender ({ module, guard, signal }) {
  const file = fileURLToPath(new URL('sender-process.js', import.meta.url))
  const { ask, close } = await startHelper({ file, name: 'The load generator', guard, signal }, 'open', { module })
  return { close, compare: (order) => ask('compare', order) }
}
