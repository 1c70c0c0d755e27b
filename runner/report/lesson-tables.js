import { percent, plural } from '../shared/format.js'
import { formatDuration, formatRatio, formatWhen } from './numbers.js'
import { layoutTable, secondaryRow, tableWidth } from './table.js'
import { styleOf, textWidth, themeFor, truncateText, wrapText } from './theme.js'

/**
 * Tables of lessons as text without a newline at the end, for `check all` and `list`; the classroom has two more.
 *
 * @import { ResultRecord, Verdict } from '../judge/index.js'
 * @import { Cell } from './table.js'
 * @import { TextOptions, Theme } from './theme.js'
 */

/**
 * One row for each lesson, with the ratio of the deciding gate, and a last line with totals.
 *
 * @param {ResultRecord[]} records
 * @param {TextOptions} [options]
 */
export function summaryTable (records, options) {
  const theme = themeFor(options)
  const { marks } = theme
  const rows = records.map((record) => {
    const measured = record.gates.filter((gate) => gate.ratio !== null)
    const gate = measured.find((gate) => gate.verdict === record.verdict) ?? measured[0]
    return {
      ...namedCells(record.lesson, theme),
      verdict: verdictCell(record, theme),
      ratio: { text: gate === undefined ? marks.none : formatRatio(gate, marks) },
      time: secondary(formatDuration(record.durationMs, marks.none))
    }
  })
  const { lines } = lessonTable(rows, { heads: ['#', 'lesson', 'verdict', 'ratio', 'time'], going: ['time'] }, theme)
  return [...lines, '', ...countLines(records, theme)].join('\n')
}

/** @param {{ number: number, title: string }} lesson @param {Theme} theme @returns {Record<string, Cell>} */
export function namedCells ({ number, title }, { line }) {
  return { '#': { text: String(number) }, lesson: { text: line(title) } }
}

/** @param {string} text @returns {Cell} */
export function secondary (text) {
  return { text, style: 'secondary' }
}

/** @param {{ verdict: Verdict }} record @param {Theme} theme @param {string} [doubt] @returns {Cell} */
export function verdictCell ({ verdict }, { marks }, doubt = '') {
  return { text: `${marks[verdict]} ${verdict}${doubt}`, style: styleOf(verdict) }
}

/** @param {ResultRecord[]} records @param {Theme} theme */
function countLines (records, theme) {
  const words = { pass: 'passed', fail: 'failed', inconclusive: 'inconclusive', error: 'stopped by an error' }
  const counts = Object.entries(words)
    .map(([verdict, word]) => ({ count: records.filter((record) => record.verdict === verdict).length, word }))
    .filter(({ count, word }) => count > 0 || word === 'passed')
    .map(({ count, word }) => `${count} ${word}`)
  const total = records.reduce((sum, record) => sum + record.durationMs, 0)
  const lessons = plural(records.length, 'lesson')
  return wrapText(`${lessons}: ${counts.join(', ')}; ${formatDuration(total, theme.marks.none)}`, theme.columns)
}

/**
 * @typedef {object} ProgressRow
 * @property {number} number
 * @property {string} id
 * @property {string} title
 * @property {'not started' | 'started' | 'pass' | 'fail' | 'inconclusive'} state
 * @property {number | null} ratio of the lesson's first gate: of the best pass, else of the last check
 * @property {number | null} [share] of what the reference solution reached in its own measurement, 0 to 1
 * @property {string | null} [tier] the highest one reached
 * @property {number} [attempts] full checks so far
 * @property {string | number | Date | null} when the last check, as a Date takes it
 */

/** One row for each lesson, with the learner's state. @param {ProgressRow[]} rows @param {TextOptions} [options] */
export function progressTable (rows, options) {
  const theme = themeFor(options)
  const cells = rows.map(({ number, title, id, state, tier, ratio, share, attempts, when }) => ({
    ...namedCells({ number, title }, theme),
    id: secondary(theme.line(id)),
    state: stateCell(state, tier, theme),
    ratio: { text: ratio === null ? '' : formatRatio({ ratio, ratioUnit: '×', target: null }, theme.marks) },
    share: secondary(typeof share === 'number' ? percent(share) : ''),
    checks: secondary(attempts ? String(attempts) : ''),
    'last check': secondary(theme.line(formatWhen(when)))
  }))
  const heads = ['#', 'lesson', 'id', 'state', 'ratio', 'share', 'checks', 'last check']
  return lessonTable(cells, { heads, going: ['id', 'last check', 'checks', 'share'] }, theme).lines.join('\n')
}

/** @param {ProgressRow['state']} state @param {ProgressRow['tier']} tier @param {Theme} theme @returns {Cell} */
function stateCell (state, tier, theme) {
  const { marks, line } = theme
  if (state === 'pass' && tier) return { text: `${marks.pass} ${line(tier)}`, style: 'pass' }
  if (state === 'not started') return { text: `${marks.pending} ${state}`, style: 'secondary' }
  if (state === 'started') return { text: `${marks.current} ${state}` }
  return verdictCell({ verdict: state }, theme)
}

const leftAligned = ['lesson', 'id', 'state', 'verdict', 'least margin in']
const [leastTitle, readableTitle, longestTitle] = [8, 16, 40]

/**
 * Columns that fit: an id goes before a title is cut, others before it can't be read any more.
 *
 * @param {Record<string, Cell>[]} rows by the heads of their columns
 * @param {{ heads: string[], going: string[] }} columns going: which of them go, the first one first
 * @param {Theme} theme
 * @returns {{ heads: string[], lines: string[] }} heads: of the columns that are left
 */
export function lessonTable (rows, { heads: all, going }, theme) {
  const longest = Math.min(longestTitle, Math.max('lesson'.length, ...rows.map(({ lesson }) => textWidth(lesson.text))))
  for (let gone = 0; ; gone++) {
    const heads = all.filter((head) => going.indexOf(head) === -1 || going.indexOf(head) >= gone)
    const cutTo = (/** @type {number} */ width) => [secondaryRow(heads), ...rows.map((row) => heads.map((head) =>
      head === 'lesson' ? { text: truncateText(row.lesson.text, width, theme.marks.ellipsis) } : row[head]))]
    const [isTitled, width] = [heads.includes('lesson'), tableWidth(cutTo(0))]
    const room = (theme.uncut ? Infinity : theme.columns) - width + (isTitled ? 'lesson'.length : 0)
    const least = heads.includes('id') ? longest : isTitled ? Math.min(longest, readableTitle) : 0
    if (room < least && gone < going.length) continue
    const align = heads.map((head) => leftAligned.includes(head) ? /** @type {const} */ ('left') : 'right')
    return { heads, lines: layoutTable(cutTo(Math.min(longest, Math.max(leastTitle, room))), align, theme) }
  }
}
