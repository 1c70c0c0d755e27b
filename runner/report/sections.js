/** A summary in labelled sections, as text for a terminal. */
import { themeFor } from './capabilities.js'
import { section } from './layout/section.js'
import { columnWidths, layoutTable, tableWidth } from './layout/table.js'
import { textWidth, wrapText } from './layout/text.js'

/**
 * @import { Output } from './capabilities.js'
 * @import { Row } from './layout/table.js'
 * @import { Look, Theme } from './layout/theme.js'
 *
 * @typedef {object} Section
 * @property {string} title
 * @property {string[]} [text] sentences, wrapped; before the rows
 * @property {string[][]} [rows] a table; a first row of titles if `head`
 * @property {boolean} [head]
 * @property {('left' | 'right')[]} [align] of the columns
 * @property {number[]} [strong] numbers of the rows to be shown bold, from 0
 * @property {string[]} [notes] sentences after the rows
 */

/**
 * @param {readonly Section[]} sections
 * @param {Look & { stream?: Output }} [look] what is not given is found out from the
 *   stream, default stdout
 * @returns {string} lines without a newline at the end
 */
export function sectionsText (sections, look) {
  const theme = themeFor(look)
  return sections.map((one) => section(one.title, (inner) => body(one, inner), theme))
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

/** @param {Section} section @param {Theme} theme */
function body ({ text = [], rows = [], head = false, align = [], strong = [], notes = [] }, theme) {
  const wrapped = (/** @type {string[]} */ sentences) => {
    return sentences.flatMap((sentence) => wrapText(theme.line(sentence), theme.columns))
  }
  /** @param {number} at @returns {'secondary' | 'strong' | undefined} */
  const styleOf = (at) => head && at === 0 ? 'secondary' : strong.includes(at) ? 'strong' : undefined
  const cells = rows.map((row, at) => row.map((cell) => ({ text: theme.line(cell), style: styleOf(at) })))
  const narrow = narrowed(cells, theme)
  const table = narrow === null ? stacked(cells.slice(head ? 1 : 0), theme) : layoutTable(narrow, align, theme)
  return [...wrapped(text), ...table, ...wrapped(notes)]
}

/**
 * Too narrow for columns: one cell a line, the first of each row leading.
 *
 * @param {{ text: string }[][]} rows
 * @param {Theme} theme
 */
function stacked (rows, { columns }) {
  return rows.flatMap((row) => row.flatMap(({ text }, at) => {
    return at === 0 ? wrapText(text, columns) : wrapText(text, columns - 2).map((line) => `  ${line}`)
  }))
}

/** A last column this narrow tells nothing any more. */
const leastLast = 12

/**
 * Cells that fit, or null where nothing sensible does. The last column, which is often a path, loses its beginning: the
 * end tells more.
 *
 * @param {Row[]} rows
 * @param {Theme} theme
 */
function narrowed (rows, { columns, marks }) {
  const surplus = tableWidth(rows) - columns
  if (surplus <= 0) return rows
  const widths = columnWidths(rows)
  const left = (widths.at(-1) ?? 0) - surplus
  if (left < leastLast) return null
  return rows.map((row) => row.map((cell, at) => {
    if (at !== widths.length - 1 || textWidth(cell.text) <= left) return cell
    let text = cell.text
    while (textWidth(text) > left - 1) text = text.slice(1)
    return { ...cell, text: `${marks.ellipsis}${text}` }
  }))
}
