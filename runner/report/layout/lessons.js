/** Tables with one row per lesson. */
import { percent } from '../../format.js'
import { formatDuration, formatRatio } from './numbers.js'
import { layoutTable, secondaryRow, tableWidth } from './table.js'
import { truncateText, wrapText } from './text.js'
import { fits, styleOf } from './theme.js'
import { formatWhen } from './when.js'

/**
 * @import { ResultRecord, Verdict } from '../../judge/index.js'
 * @import { Cell, Row } from './table.js'
 * @import { Theme } from './theme.js'
 *
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
 *
 * @typedef {{ number: number, title: string, id?: string, state: Cell, ratio: string, more: string[] }} Lesson more:
 *   what is dropped when there's no room, from its end
 * @typedef {{ title: number, id: boolean, more: number }} Shape title: the longest that stays uncut; more: how many of
 *   the further columns
 */

const shortestTitle = 8
/** From long to short. */
const titles = Array.from({ length: 17 }, (_, at) => 40 - 2 * at)

/**
 * @param {ResultRecord[]} records
 * @param {Theme} theme
 * @returns {string[]} one row per lesson, then the counts
 */
export function layoutSummary (records, theme) {
  const { marks } = theme
  const rows = records.map((record) => {
    const measured = record.gates.filter((gate) => gate.ratio !== null)
    const gate = measured.find((gate) => gate.verdict === record.verdict) ?? measured[0]
    return {
      number: record.lesson.number,
      title: theme.line(record.lesson.title),
      state: { text: `${marks[record.verdict]} ${record.verdict}`, style: styleOf(record.verdict) },
      ratio: gate === undefined ? marks.none : formatRatio(gate, marks),
      more: [formatDuration(record.durationMs, marks.none)]
    }
  })
  return [...lessonTable(['verdict', 'ratio', 'time'], rows, theme), '', ...countLines(records, theme)]
}

/**
 * @param {ResultRecord[]} records
 * @param {Theme} theme
 */
function countLines (records, theme) {
  /** @type {[Verdict, string][]} */
  const words = [
    ['pass', 'passed'],
    ['fail', 'failed'],
    ['inconclusive', 'inconclusive'],
    ['error', 'stopped by an error']
  ]
  const counts = words
    .map(([verdict, word]) => ({ count: records.filter((record) => record.verdict === verdict).length, word }))
    .filter(({ count, word }) => count > 0 || word === 'passed')
    .map(({ count, word }) => `${count} ${word}`)
  const total = records.reduce((sum, record) => sum + record.durationMs, 0)
  const lessons = `${records.length} ${records.length === 1 ? 'lesson' : 'lessons'}`
  return wrapText(`${lessons}: ${counts.join(', ')}; ${formatDuration(total, theme.marks.none)}`, theme.columns)
}

/**
 * @param {ProgressRow[]} rows
 * @param {Theme} theme
 * @returns {string[]}
 */
export function layoutProgress (rows, theme) {
  const { marks } = theme
  const cells = rows.map((row) => ({
    number: row.number,
    title: theme.line(row.title),
    id: theme.line(row.id),
    state: stateCell(row, theme),
    ratio: row.ratio === null ? '' : formatRatio({ ratio: row.ratio, ratioUnit: '×', target: null }, marks),
    more: [
      typeof row.share === 'number' ? percent(row.share) : '',
      row.attempts ? String(row.attempts) : '',
      formatWhen(row.when)
    ]
  }))
  return lessonTable(['state', 'ratio', 'share', 'checks', 'last check'], cells, theme)
}

/**
 * @param {Pick<ProgressRow, 'state' | 'tier'>} row
 * @param {Theme} theme
 * @returns {Cell}
 */
function stateCell ({ state, tier }, { marks, line }) {
  if (state === 'pass' && tier) return { text: `${marks.pass} ${line(tier)}`, style: 'pass' }
  if (state === 'not started') return { text: `${marks.pending} ${state}`, style: 'secondary' }
  if (state === 'started') return { text: `${marks.current} ${state}` }
  return { text: `${marks[state]} ${state}`, style: styleOf(state) }
}

/**
 * The first shape that fits: first the id goes, then the title is cut, then further columns go, the last one first.
 *
 * @param {string[]} heads of state, ratio and the further columns
 * @param {Lesson[]} lessons
 * @param {Theme} theme
 */
function lessonTable (heads, lessons, theme) {
  const withIds = lessons.some((lesson) => lesson.id !== undefined)
  const all = heads.length - 2
  const readable = titles.filter((title) => title >= 16)
  /** @type {Shape[]} */
  const shapes = [
    ...withIds ? [{ title: 40, id: true, more: all }] : [],
    ...Array.from({ length: all }, (_, left) => all - left)
      .flatMap((more) => readable.map((title) => ({ title, id: false, more }))),
    ...titles.map((title) => ({ title, id: false, more: 0 }))
  ]
  const narrow = { title: shortestTitle, id: false, more: 0 }
  const shape = shapes.find((each) => fits(tableWidth(lessonRows(heads, lessons, each, theme)), theme)) ?? narrow
  const rows = lessonRows(heads, lessons, shape, theme)
  const lastText = shape.id ? 3 : 2
  return layoutTable(rows, rows[0].map((_, at) => at > 0 && at <= lastText ? 'left' : 'right'), theme)
}

/**
 * @param {string[]} heads
 * @param {Lesson[]} lessons
 * @param {Shape} shape
 * @param {Theme} theme
 * @returns {Row[]}
 */
function lessonRows ([stateHead, ratioHead, ...moreHeads], lessons, shape, theme) {
  const head = ['#', 'lesson', ...shape.id ? ['id'] : [], stateHead, ratioHead, ...moreHeads.slice(0, shape.more)]
  return [secondaryRow(head), ...lessons.map(({ number, title, id, state, ratio, more }) => [
    { text: String(number) },
    { text: truncateText(title, shape.title, theme.marks.ellipsis) },
    ...shape.id ? secondaryRow([id ?? '']) : [],
    state,
    { text: ratio },
    ...secondaryRow(more.slice(0, shape.more))
  ])]
}
