/** The hunks of a unified diff. */

/**
 * @import { StructuredPatchHunk } from 'diff'
 * @import { Style, Theme } from './theme.js'
 */

/** @type {Record<string, Style>} */
const styles = { '+': 'pass', '-': 'fail', '\\': 'secondary' }

/**
 * No line is cut or broken, so that a diff can be applied.
 *
 * @param {StructuredPatchHunk[]} hunks
 * @param {Theme} theme
 * @returns {string[]} lines
 */
export function layoutHunks (hunks, { paint, source }) {
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    paint('code', `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`),
    ...lines.map((line) => paint(styles[line[0]], line[0] + source(line.slice(1)).join('')))
  ])
}

/** @param {number} start @param {number} count @returns {string} as GNU diff writes it: `3` or `3,2` */
function rangeOf (start, count) {
  // An empty range names the line before it.
  const first = count === 0 ? start - 1 : start
  return count === 1 ? `${first}` : `${first},${count}`
}
