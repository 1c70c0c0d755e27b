import { wrapText } from '../report/index.js'

/** @import { Output } from './main.js' */

/**
 * Writes sentences, each on a line of its own. A window breaks a line anywhere, also within a command: what is too wide
 * is broken between words before. A pipe gets whole lines.
 *
 * @param {Output} out
 * @param {...string} sentences
 */
export function say (out, ...sentences) {
  const columns = out.isTTY ? out.columns : undefined
  const lines = columns ? sentences.flatMap((sentence) => wrapText(sentence, columns)) : sentences
  out.write(lines.map((line) => `${line}\n`).join(''))
}
