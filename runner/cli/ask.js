import { createInterface } from 'node:readline/promises'
import { WorkshopError } from '../errors.js'

/** @import { Given } from './types.js' */

/**
 * Asks at the terminal for a yes or a no.
 *
 * @param {string} question
 * @param {Pick<Given, 'stdout' | 'signal'> & { unasked: string, isYes?: boolean }} given unasked: the sentence if
 *   there's no terminal; isYes: Enter alone means yes
 * @returns {Promise<boolean>} was it a yes?
 * @throws {WorkshopError} there is no terminal
 */
export async function ask (question, { stdout, signal, unasked, isYes = false }) {
  if (!process.stdin.isTTY) throw new WorkshopError(unasked)
  const lines = createInterface({ input: process.stdin, output: /** @type {any} */ (stdout) })
  try {
    const answer = (await lines.question(`${question} (${isYes ? 'Y/n' : 'y/N'}) `, { signal })).trim()
    return isYes ? !/^no?$/i.test(answer) : /^y(es)?$/i.test(answer)
  } finally {
    lines.close()
  }
}
