/** Tables with one row a lesson. */
import { formatDuration, formatRatio } from './numbers.js'
import { layoutTable, tableWidth } from './table.js'
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
 * @property {number | null} ratio of the lesson's first gate, at the last check
 * @property {string | number | Date | null} when the last check, as a Date takes it
 *
 * @typedef {{ number: number, title: string, id?: string, state: Cell, ratio: string, last: string }} Lesson
 * @typedef {{ title: number, id: boolean, last: boolean }} Shape title: the longest that stays uncut
 */

const shortestTitle = 8
/** From long to short. */
const titles = Array.from({ length: 17 }, (_, at) => 40 - 2 * at)

/**
 * @param {ResultRecord[]} records
 * @param {Theme} theme
 * @returns {string[]} one row a lesson, then the counts
 */
export function layoutSummary (records, theme) {
  const { marks } = theme
  const rows = records.map((record) => {
    const measured = record.gates.filter((gate) => gate.ratio !== null)
    const gate = measured.find((gate) => gate.verdict === record.verdict) ?? measured[0]
    return {
      number: record.lesson.number,
      title: theme.line(record.lesson.title),
      state: /** @type {const} */ ({
        text: `${marks[record.verdict]} ${record.verdict}`,
        style: styleOf(record.verdict)
      }),
      ratio: gate === undefined ? marks.none : formatRatio(gate, marks),
      last: formatDuration(record.durationMs, marks.none)
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
    state: stateCell(row.state, marks),
    ratio: row.ratio === null ? '' : formatRatio({ ratio: row.ratio, ratioUnit: '×', target: null }, marks),
    last: formatWhen(row.when)
  }))
  return lessonTable(['state', 'ratio', 'last check'], cells, theme)
}

/**
 * @param {ProgressRow['state']} state
 * @param {Theme['marks']} marks
 * @returns {Cell}
 */
function stateCell (state, marks) {
  if (state === 'not started') return { text: `${marks.pending} ${state}`, style: 'secondary' }
  if (state === 'started') return { text: `${marks.current} ${state}` }
  return { text: `${marks[state]} ${state}`, style: styleOf(state) }
}

/**
 * The first shape that fits: first the id goes, then the title is cut, then the last column goes.
 *
 * @param {[string, string, string]} heads
 * @param {Lesson[]} lessons
 * @param {Theme} theme
 */
function lessonTable (heads, lessons, theme) {
  const withIds = lessons.some((lesson) => lesson.id !== undefined)
  /** @type {Shape[]} */
  const shapes = [
    ...withIds ? [{ title: 40, id: true, last: true }] : [],
    ...titles.filter((title) => title >= 16).map((title) => ({ title, id: false, last: true })),
    ...titles.map((title) => ({ title, id: false, last: false }))
  ]
  const narrow = { title: shortestTitle, id: false, last: false }
  const shape = shapes.find((each) => fits(tableWidth(lessonRows(heads, lessons, each, theme)), theme)) ?? narrow
  /** @type {('left' | 'right')[]} */
  const align = ['right', 'left', ...shape.id ? /** @type {const} */ (['left']) : [], 'left', 'right', 'right']
  return layoutTable(lessonRows(heads, lessons, shape, theme), align, theme)
}

/**
 * @param {[string, string, string]} heads
 * @param {Lesson[]} lessons
 * @param {Shape} shape
 * @param {Theme} theme
 * @returns {Row[]}
 */
function lessonRows ([stateHead, ratioHead, lastHead], lessons, shape, theme) {
  const secondary = (/** @type {string} */ text) => ({ text, style: /** @type {const} */ ('secondary') })
  const head = ['#', 'lesson', ...shape.id ? ['id'] : [], stateHead, ratioHead, ...shape.last ? [lastHead] : []]
  return [head.map(secondary), ...lessons.map(({ number, title, id, state, ratio, last }) => [
    { text: String(number) },
    { text: truncateText(title, shape.title, theme.marks.ellipsis) },
    ...shape.id ? [secondary(id ?? '')] : [],
    state,
    { text: ratio },
    ...shape.last ? [secondary(last)] : []
  ])]
}
