import { blockText } from '../report/index.js'

/** @import { Output } from './types.js' */

/**
 * Writes each sentence on a new line, wrapped to the window (not for a pipe), in ASCII where the output needs it.
 *
 * @param {Output} output
 * @param {...string} sentences
 */
export function say (output, ...sentences) {
  const look = output.isTTY ? { stream: output } : { stream: output, columns: Infinity }
  for (const sentence of sentences) output.write(`${blockText({ text: [sentence] }, look)}\n`)
}
