/** Rows of cells set in aligned columns. */
import { padText, textWidth } from './text.js'

/**
 * @import { Style, Theme } from './theme.js'
 *
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

/**
 * @param {Row[]} rows
 * @returns {number[]} columns that each column of the table takes
 */
export function columnWidths (rows) {
  const count = Math.max(0, ...rows.map((row) => row.length))
  return Array.from({ length: count }, (_, at) => Math.max(0, ...rows.map((row) => textWidth(row[at]?.text ?? ''))))
}

/**
 * @param {Row[]} rows
 * @returns {number} columns that the whole table takes
 */
export function tableWidth (rows) {
  const widths = columnWidths(rows)
  return widths.reduce((sum, width) => sum + width, 0) + gap.length * Math.max(0, widths.length - 1)
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
