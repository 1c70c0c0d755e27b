import { fits, padText, shortenText, textWidth, wrapParts, wrapText } from './theme.js'

/** @import { Style, Theme } from './theme.js' */

/** Rows of cells set in aligned columns. */

/**
 * @typedef {object} Cell
 * @property {string} text uncoloured: its width counts
 * @property {string} [painted] what is written instead, of the same width
 * @property {Style | Style[]} [style]
 *
 * @typedef {Cell[]} Row
 */

const gap = '  '

/** The titles of the columns, for example. @param {string[]} texts @returns {Row} */
export function secondaryRow (texts) {
  return texts.map((text) => ({ text, style: 'secondary' }))
}

/** @param {Row[]} rows @returns {number[]} columns that each column of the table takes */
export function columnWidths (rows) {
  const count = Math.max(0, ...rows.map((row) => row.length))
  return Array.from({ length: count }, (_, at) => Math.max(0, ...rows.map((row) => textWidth(row[at]?.text ?? ''))))
}

/** @param {Row[]} rows @returns {number} columns that the whole table takes */
export function tableWidth (rows) {
  const widths = columnWidths(rows)
  return widths.reduce((sum, width) => sum + width, 0) + gap.length * Math.max(0, widths.length - 1)
}

/** The narrowest table if none fits. @param {(() => Row[])[]} tables from wide to narrow @param {Theme} theme */
export function firstFitting (tables, theme) {
  return (tables.find((rowsOf) => fits(tableWidth(rowsOf()), theme)) ?? tables[tables.length - 1])()
}

/**
 * Columns that fit: the widest give way first.
 *
 * @param {number[]} natural widths of the columns if there is room
 * @param {number[]} least narrower ones are of no use
 * @param {number} room columns for all, gaps included
 * @returns {number[] | null} null if there isn't even room for the least
 */
export function fitWidths (natural, least, room) {
  const gaps = gap.length * Math.max(0, natural.length - 1)
  for (let most = Math.max(0, ...natural); most >= 0; most--) {
    const widths = natural.map((width, at) => Math.min(width, Math.max(least[at], most)))
    let left = room - widths.reduce((sum, width) => sum + width, gaps)
    if (left >= 0) return widths.map((width, at) => width < natural[at] && left-- > 0 ? width + 1 : width)
  }
  return null
}

/**
 * @param {Row[]} rows
 * @param {('left' | 'right')[]} align for each column
 * @param {Theme} theme
 * @returns {string[]}
 */
export function layoutTable (rows, align, { paint }) {
  const widths = columnWidths(rows)
  return rows.map((row) => {
    let line = ''
    // Pending white space: none is written after the last cell.
    let space = ''
    row.forEach((cell, at) => {
      const padding = padText('', widths[at] - textWidth(cell.text))
      const right = align[at] === 'right'
      if (right) space += padding
      if (cell.text !== '') {
        line += space + (cell.painted ?? paint(cell.style, cell.text))
        space = ''
      }
      space += (right ? '' : padding) + gap
    })
    return line
  })
}

/** Tables that fit: prose is wrapped, names and paths are shortened, and every row stays a row. */

/** Text in a narrower column is useless. */
const leastText = 12

/**
 * @param {Row[]} rows
 * @param {('left' | 'right')[]} align for each column; right-aligned ones are figures, which aren't cut
 * @param {Theme} theme
 * @param {{ head?: boolean }} [options] head: the first row holds titles
 * @returns {string[]}
 */
export function layoutFitted (rows, align, theme, { head = false } = {}) {
  if (fits(tableWidth(rows), theme)) return layoutTable(rows, align, theme)
  return (inColumns(rows, align, theme) ?? lastBelow(rows, align, theme) ?? stacked(rows, head, theme)).flat()
}

/** The lines of each row. @param {Row[]} rows @param {('left' | 'right')[]} align @param {Theme} theme */
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
    return isProse(text) ? wrapText(text, widths[at]) : [shortenText(text, widths[at], marks.ellipsis)]
  })
  const height = Math.max(...cells.map(({ length }) => length))
  return Array.from({ length: height }, (_, line) =>
    row.map(({ style }, at) => ({ text: cells[at][line] ?? '', style })))
}

/** A path may have a space in it. @param {string} text */
function isProse (text) {
  const words = text.split(' ').length
  return words > 1 && (words > 3 || !text.includes('/'))
}

/**
 * The last cell of each row, unless it's a figure, gets a separate line.
 *
 * @param {Row[]} rows
 * @param {('left' | 'right')[]} align
 * @param {Theme} theme
 */
function lastBelow (rows, align, theme) {
  const count = columnWidths(rows).length
  if (count < 3 || align[count - 1] === 'right') return null
  const tops = inColumns(rows.map((row) => row.slice(0, count - 1)), align, theme)
  return tops && rows.map((row, at) => {
    const { text, style } = row[count - 1] ?? { text: '' }
    const last = `  ${shortenText(text, theme.columns - 2, theme.marks.ellipsis)}`
    return text === '' ? tops[at] : [...tops[at], theme.paint(style, last)]
  })
}

/** The first cell of each row leads, others follow. @param {Row[]} rows @param {boolean} head @param {Theme} theme */
function stacked (rows, head, { columns, paint }) {
  return rows.slice(head ? 1 : 0).map(([first, ...others]) => {
    const parts = others.flatMap(({ text }, at) => {
      const title = head ? rows[0][at + 1]?.text ?? '' : ''
      return text === '' ? [] : [[title, text].filter(Boolean).join(' ')]
    })
    const pieces = parts.flatMap((part) => wrapText(part, columns - 2))
    const below = pieces.length === 0 ? [] : wrapParts(pieces, '  ', columns - 2).map((line) => `  ${line}`)
    return [...wrapText(first.text, columns), ...below].map((line) => paint(first.style, line))
  })
}
