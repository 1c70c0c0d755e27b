/** A labelled part of the report: the label beside its lines, or above them in a narrow window. */
import { padText } from './text.js'

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
  const beside = theme.columns >= narrowBelow
  const indent = beside ? labelWidth : 2
  const lines = body({ ...theme, columns: Math.min(longestLine, theme.columns) - indent })
  if (lines.length === 0) return []
  const set = lines.map((line) => line === '' ? '' : ' '.repeat(indent) + line)
  if (!beside) return [theme.paint('secondary', label), ...set]
  return [theme.paint('secondary', padText(label, labelWidth)) + lines[0], ...set.slice(1)]
}
