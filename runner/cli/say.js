import { wrapText } from '../report/index.js'

/** @import { Output } from './main.js' */

const narrowest = 20

/**
 * Writes sentences, each on a line of its own. A window breaks a line anywhere, also within a command: what is too wide
 * is broken between words before. A pipe gets whole lines.
 *
 * @param {Output} out
 * @param {...string} sentences
 */
export function say (out, ...sentences) {
  // The last column stays free: some consoles break the line as soon as it is filled.
  const width = out.isTTY && out.columns ? Math.max(narrowest, out.columns - 1) : Infinity
  const lines = sentences.flatMap((sentence) => wrapText(sentence, width))
  out.write(lines.map((line) => `${line}\n`).join(''))
}
