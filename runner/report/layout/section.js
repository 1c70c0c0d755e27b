/** A labelled part of the report: the label next to its lines, or above them where it has no room there. */
import { padText, textWidth } from './text.js'

/** @import { Theme } from './theme.js' */

const labelWidth = 11
const narrowBelow = 64
const longestLine = 100

/**
 * @param {string} label
 * @param {(inner: Theme) => string[]} body lays out for the room that the label leaves
 * @param {Theme} theme
 * @returns {string[]} empty when the body is
 */
export function section (label, body, theme) {
  const isWide = theme.columns >= narrowBelow
  const indent = isWide ? labelWidth : 2
  const lines = body({ ...theme, columns: Math.min(longestLine, theme.columns) - indent })
  if (lines.length === 0) return []
  const set = lines.map((line) => line === '' ? '' : ' '.repeat(indent) + line)
  if (!isWide || textWidth(label) >= labelWidth) return [theme.paint('secondary', label), ...set]
  return [theme.paint('secondary', padText(label, labelWidth)) + lines[0], ...set.slice(1)]
}

/**
 * Blocks with an empty line between them, if the window is high enough.
 *
 * @param {string[][]} blocks empty ones are left out
 * @param {number} [height] lines that fit the window
 */
export function apart (blocks, height = Infinity) {
  const airy = blocks.filter((lines) => lines.length > 0).flatMap((lines, at) => at === 0 ? lines : ['', ...lines])
  const lines = airy.length <= height ? airy : blocks.flat()
  // In a very low window the newest lines, or the keys below them, count most.
  return lines.length <= height ? lines : lines.slice(-Math.max(1, height))
}
