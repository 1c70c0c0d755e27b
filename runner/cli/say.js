import { blockText } from '../report/index.js'

/** @import { Output } from './types.js' */

/**
 * Writes sentences, each on a line of its own, as the output can show them: wrapped, and in ASCII where it knows no
 * more. A pipe gets whole lines.
 *
 * @param {Output} output
 * @param {...string} sentences
 */
export function say (output, ...sentences) {
  const look = output.isTTY ? { stream: output } : { stream: output, columns: Infinity }
  for (const sentence of sentences) output.write(`${blockText({ text: [sentence] }, look)}\n`)
}
