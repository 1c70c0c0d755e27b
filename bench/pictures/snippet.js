import { escapeHtml } from '../../runner/report/index.js'
import { numberAt, width } from '../drawings/svg.js'

/**
 * Text of a terminal as a picture that a phone shows whole. Pure.
 *
 * @typedef {object} Line
 * @property {string} text
 * @property {[number: number, column: number | null][]} [marks] numbers that the text below the picture explains: above
 *   a column of this line, or left of it
 */

const [left, right, lineHeight, widest] = [32, 8, 19, 7.2]

export const snippetStyles = [
  '.mono{font:12.1px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}'
]

/** @param {Line[]} lines @returns {{ height: number, pieces: string[] }} */
export function snippetPieces (lines) {
  const most = Math.max(...lines.map(({ text }) => text.length))
  const letter = Math.min(widest, (width - left - right) / most)
  const pieces = lines.flatMap(({ text, marks = [] }, at) => {
    const y = 24 + at * lineHeight
    const [shown, start] = [text.trim(), text.length - text.trimStart().length]
    const xOf = (/** @type {number | null} */ column) => column === null ? 16 : left + (column + 1.5) * letter
    // Columns stay straight in any font.
    const drawn = `<text class="mono" x="${(left + start * letter).toFixed(1)}" y="${y}" textLength="` +
      `${(shown.length * letter).toFixed(1)}" lengthAdjust="spacingAndGlyphs">${escapeHtml(shown)}</text>`
    return [...marks.map(([number, column]) => numberAt(xOf(column), y - 4, number)), shown && drawn]
  })
  return { height: 24 + lines.length * lineHeight, pieces: pieces.filter(Boolean) }
}

/** Of autocannon's columns, so that the others can be read on a phone. */
const leftOut = ['2.5%', 'Stdev']
/** The numbers of the others, and of lines. */
const inTable = { '50%': 1, '97.5%': 2, Avg: 3, Max: 4 }
const ofLines = { 'Req/Sec': 5, 'non 2xx': 6, 'requests in': 7 }

/** @param {string} output of `npm run bench` @returns {Line[]} */
export function tableLines (output) {
  const tables = output.split('┌').slice(1).map((table) => table.split('\n').filter((line) => line.startsWith('│'))
    .map((line) => line.slice(1, -1).split('│').map((cell) => cell.trim())))
  const counts = output.split('\n').filter((line) => / 2xx responses| requests in /.test(line))
  return [
    ...tables.flatMap((table, at) => cellLines(table, at === 0 ? inTable : {})),
    { text: '' },
    ...counts.map(markedLine)
  ]
}

/** @param {string[][]} table @param {Record<string, number>} numbers by the title of their column @returns {Line[]} */
function cellLines (table, numbers) {
  const shown = table.map((row) => row.filter((_, at) => !leftOut.includes(table[0][at])))
  const widths = shown[0].map((_, at) => Math.max(...shown.map((row) => row[at].length)))
  const columns = widths.map((_, at) => widths.slice(0, at).reduce((sum, wide) => sum + wide + 1, 0))
  /** @type {[number, number | null][]} */
  const marks = Object.entries(numbers).filter(([title]) => shown[0].includes(title))
    .map(([title, number]) => [number, columns[shown[0].indexOf(title)]])
  return [
    { text: '', marks },
    ...shown.map((row) => markedLine(row.map((cell, at) => cell.padEnd(widths[at])).join(' ')))
  ]
}

/** @param {string} text @returns {Line} */
function markedLine (text) {
  const found = Object.entries(ofLines).find(([part]) => text.includes(part))
  return { text, marks: found ? [[found[1], null]] : [] }
}

/** Sections of a summary with how many of their lines are shown. */
const shownOf = { Reading: 9, Time: 9, 'Your code': 7, 'Self time': 6, 'Bottom up': 7 }

/** @param {string} output of `npm run profile`, in a narrow window @returns {Line[]} */
export function summaryLines (output) {
  const sections = output.split(/\n{2,}/).map((section) => section.split('\n'))
  return Object.entries(shownOf).flatMap(([title, count], at) => {
    const lines = sections.find(([first]) => first === title)
    if (!lines) throw new Error(`The summary has no section “${title}”:\n${output}`)
    const cut = lines.length > count ? [...lines.slice(0, count), '  …'] : lines
    return cut.map((text, line) => ({ text, marks: line === 0 ? [[at + 1, null]] : [] }))
  })
}
