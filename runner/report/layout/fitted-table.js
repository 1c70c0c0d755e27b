/** Tables that fit: what has words is wrapped, names and paths are shortened, and every row stays a row. */
import { columnWidths, fitWidths, layoutTable, tableWidth } from './table.js'
import { shortenText, textWidth, wrapText } from './text.js'
import { fits } from './theme.js'

/**
 * @import { Row } from './table.js'
 * @import { Theme } from './theme.js'
 */

/** A text in a narrower column tells nothing any more. */
const leastText = 12

/**
 * @param {Row[]} rows
 * @param {('left' | 'right')[]} align for each column; those at the right are figures, which stay whole
 * @param {Theme} theme
 * @returns {string[]}
 */
export function layoutFitted (rows, align, theme) {
  if (fits(tableWidth(rows), theme)) return layoutTable(rows, align, theme)
  return (inColumns(rows, align, theme) ?? lastBelow(rows, align, theme) ?? stacked(rows, theme)).flat()
}

/** @param {Row[]} rows @param {('left' | 'right')[]} align @param {Theme} theme @returns {string[][] | null} by row */
function inColumns (rows, align, theme) {
  const natural = columnWidths(rows)
  const least = natural.map((width, at) => align[at] === 'right' ? width : Math.min(width, leastText))
  const widths = fitWidths(natural, least, theme.columns)
  if (widths === null) return null
  const parts = rows.map((row) => linesOf(row, widths, theme))
  const lines = layoutTable(parts.flat(), align, theme)
  return parts.map(({ length }) => lines.splice(0, length))
}

/** One row of the table for each line of its cells. @param {Row} row @param {number[]} widths @param {Theme} theme */
function linesOf (row, widths, { marks }) {
  const cells = row.map(({ text }, at) => {
    if (textWidth(text) <= widths[at]) return [text]
    return text.includes(' ') ? wrapText(text, widths[at]) : [shortenText(text, widths[at], marks.ellipsis)]
  })
  const height = Math.max(...cells.map(({ length }) => length))
  return Array.from({ length: height }, (_, line) =>
    row.map(({ style }, at) => ({ text: cells[at][line] ?? '', style })))
}

/**
 * The last cell of each row on a line of its own.
 *
 * @param {Row[]} rows
 * @param {('left' | 'right')[]} align
 * @param {Theme} theme
 */
function lastBelow (rows, align, theme) {
  const count = columnWidths(rows).length
  const tops = count < 3 ? null : inColumns(rows.map((row) => row.slice(0, count - 1)), align, theme)
  return tops && rows.map((row, at) => {
    const { text, style } = row[count - 1] ?? { text: '' }
    const last = `  ${shortenText(text, theme.columns - 2, theme.marks.ellipsis)}`
    return text === '' ? tops[at] : [...tops[at], theme.paint(style, last)]
  })
}

/** One cell a line, the first of each row leading. @param {Row[]} rows @param {Theme} theme */
function stacked (rows, { columns, paint }) {
  return rows.map((row) => row.flatMap(({ text, style }, at) => {
    const lines = at === 0 ? wrapText(text, columns) : wrapText(text, columns - 2).map((line) => `  ${line}`)
    return lines.map((line) => paint(style, line))
  }))
}
