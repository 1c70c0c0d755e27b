import { blockText } from '../report/index.js'

/** @import { Output } from './main.js' */

/**
 * Writes a sentence as the output can show it: wrapped, and in ASCII where it knows no more.
 *
 * @param {Output} output
 * @param {string} sentence
 */
export function say (output, sentence) {
  output.write(`${blockText({ text: [sentence] }, { stream: output })}\n`)
}
