import { createInterface } from 'node:readline/promises'
import { WorkshopError } from '../errors.js'

/**
 * Asks at the terminal.
 *
 * @param {string} question
 * @param {Pick<import('./types.js').Given, 'stdout' | 'signal'> & { unasked: string }} given unasked: the sentence
 *   if there's no terminal
 * @returns {Promise<string>} the answer, without white space around it
 * @throws {WorkshopError} there is no terminal
 */
export async function ask (question, { stdout, signal, unasked }) {
  if (!process.stdin.isTTY) throw new WorkshopError(unasked)
  const lines = createInterface({ input: process.stdin, output: /** @type {any} */ (stdout) })
  try {
    return (await lines.question(question, { signal })).trim()
  } finally {
    lines.close()
  }
}
