import { cleanLine } from '../../clean.js'

/** Without it, Excel doesn't read the file as UTF-8. */
const byteOrderMark = '\ufeff'

/** @param {readonly (readonly (string | number | null)[])[]} rows @returns {string} CSV (RFC 4180) */
export function csvText (rows) {
  return byteOrderMark + rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** A text that begins like a formula is quoted: a spreadsheet would run it. @param {string | number | null} value */
function cell (value) {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const line = cleanLine(value)
  const text = /^[=+\-@＝＋－＠]/.test(line) ? `'${line}` : line
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
