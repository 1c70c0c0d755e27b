/**
 * What a terminal shows, as data: rows of pieces. A piece has one style, and ends with the style or after two blanks.
 *
 * @import { IBufferCell, Terminal } from '@xterm/headless'
 *
 * @typedef {object} Style what is not there is the terminal's usual
 * @property {number | string} [foreground] 0 to 255 of the palette, or `#rrggbb`
 * @property {number | string} [background] the same
 * @property {true} [bold]
 * @property {true} [dim]
 * @property {true} [italic]
 * @property {true} [underline]
 * @property {true} [inverse]
 *
 * @typedef {{ x: number, columns: number, text: string, style: Style }} Piece x: the column it begins in, from 0
 */

/**
 * The rows that can be seen now. Blanks at the end of a row that nothing makes visible are left out.
 *
 * @param {Terminal} terminal
 * @returns {Piece[][]} one entry a row of the window
 */
export function styledRows ({ buffer: { active }, rows, cols }) {
  return Array.from({ length: rows }, (_, row) => {
    const line = active.getLine(active.baseY + row)
    /** @type {Piece[]} */
    const pieces = []
    for (let x = 0; x < cols; x++) {
      const cell = line?.getCell(x)
      // A sign that is two columns wide leaves nothing in the second one.
      if (!cell || cell.getWidth() === 0) continue
      append(pieces, { x, columns: cell.getWidth(), text: cell.getChars() || ' ', style: styleOf(cell) })
    }
    return withoutEnd(pieces)
  })
}

/** @param {Piece[]} pieces @param {Piece} next */
function append (pieces, next) {
  const last = pieces.at(-1)
  const isNewColumn = next.text !== ' ' && last?.text.endsWith('  ')
  if (!last || isNewColumn || JSON.stringify(last.style) !== JSON.stringify(next.style)) {
    pieces.push(next)
    return
  }
  last.text += next.text
  last.columns += next.columns
}

/** @param {Piece[]} pieces */
function withoutEnd (pieces) {
  const last = pieces.at(-1)
  if (!last || shows(last.style)) return pieces
  const kept = last.text.trimEnd()
  if (kept === '') return withoutEnd(pieces.slice(0, -1))
  return [...pieces.slice(0, -1), { ...last, text: kept, columns: last.columns - (last.text.length - kept.length) }]
}

/** Can a blank of this style be seen? @param {Style} style */
function shows ({ background, inverse, underline }) {
  return background !== undefined || Boolean(inverse || underline)
}

/** @param {IBufferCell} cell @returns {Style} */
function styleOf (cell) {
  return {
    ...cell.isFgDefault() ? {} : { foreground: colour(cell.getFgColor(), cell.isFgRGB()) },
    ...cell.isBgDefault() ? {} : { background: colour(cell.getBgColor(), cell.isBgRGB()) },
    ...cell.isBold() ? { bold: true } : {},
    ...cell.isDim() ? { dim: true } : {},
    ...cell.isItalic() ? { italic: true } : {},
    ...cell.isUnderline() ? { underline: true } : {},
    ...cell.isInverse() ? { inverse: true } : {}
  }
}

/** @param {number} value @param {boolean} isRgb */
function colour (value, isRgb) {
  return isRgb ? `#${value.toString(16).padStart(6, '0')}` : value
}
