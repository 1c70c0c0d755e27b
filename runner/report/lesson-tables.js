import { percent, plural } from '../format.js'
import { themeFor } from './live-region.js'
import { formatDuration, formatNumber, formatRatio, formatTarget, formatWhen } from './numbers.js'
import { layoutFitted, layoutTable, secondaryRow, tableWidth } from './table.js'
import { fits, styleOf, truncateText, wrapText } from './theme.js'

/**
 * @import { Rehearsed, ResultRecord, Verdict } from '../judge/index.js'
 * @import { TextOptions } from './live-region.js'
 * @import { Cell, Row } from './table.js'
 * @import { Theme } from './theme.js'
 */

/** Tables of lessons as text, for `check all`, `list` and a rehearsal. */

/**
 * One row per lesson (number, title, verdict, ratio of the deciding gate, duration) and a last line with totals.
 *
 * @param {ResultRecord[]} records
 * @param {TextOptions} [options]
 * @returns {string} lines without a newline at the end
 */
export function summaryTable (records, options) {
  return layoutSummary(records, themeFor(options)).join('\n')
}

/**
 * One row per lesson with the learner's state.
 *
 * @param {ProgressRow[]} rows
 * @param {TextOptions} [options]
 * @returns {string} lines without a newline at the end
 */
export function progressTable (rows, options) {
  return layoutProgress(rows, themeFor(options)).join('\n')
}

/**
 * One row per lesson, with the gate that has the least margin.
 *
 * @param {Rehearsed[]} lessons
 * @param {TextOptions} [options]
 * @returns {string} lines without a newline at the end
 */
export function rehearsalTable (lessons, options) {
  return layoutRehearsal(lessons, themeFor(options)).join('\n')
}

/**
 * One row per submission: learner, lesson, verdict and its reason.
 *
 * @param {readonly GradeRow[]} rows
 * @param {TextOptions} [options]
 * @returns {string} lines without a newline at the end
 */
export function gradesTable (rows, options) {
  return layoutGrades(rows, themeFor(options)).join('\n')
}

/** Tables with one row per lesson. */

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
function layoutSummary (records, theme) {
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
  const lessons = plural(records.length, 'lesson')
  return wrapText(`${lessons}: ${counts.join(', ')}; ${formatDuration(total, theme.marks.none)}`, theme.columns)
}

/**
 * @param {ProgressRow[]} rows
 * @param {Theme} theme
 * @returns {string[]}
 */
function layoutProgress (rows, theme) {
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

/** Graded submissions, one row each. */

/**
 * @typedef {object} GradeRow
 * @property {string} learner
 * @property {{ number: number }} lesson
 * @property {Verdict} verdict
 * @property {string} reason
 * @property {boolean} verified
 * @property {boolean} [unbounded] but nothing bounded its memory
 */

/** @param {readonly GradeRow[]} rows @param {Theme} theme @returns {string[]} */
function layoutGrades (rows, theme) {
  const { marks, line } = theme
  const heads = secondaryRow(['learner', 'lesson', 'verdict', 'reason'])
  const doubt = (/** @type {GradeRow} */ { verified, unbounded, verdict }) =>
    verdict === 'error' ? '' : !verified ? ', unverified' : unbounded ? ', memory unbounded' : ''
  /** @type {Row[]} */
  const cells = rows.map((row) => [
    { text: line(row.learner) },
    { text: String(row.lesson.number) },
    { text: `${marks[row.verdict]} ${row.verdict}${doubt(row)}`, style: styleOf(row.verdict) },
    { text: line(row.reason), style: 'secondary' }
  ])
  return layoutFitted([heads, ...cells], ['left', 'right', 'left', 'left'], theme, { head: true })
}

/** Reference solutions on one machine, one row each. */

const note = 'margin: for the gate that has the least, its ratio relative to its target. certain: the same for the ' +
  'end of the deciding interval nearest the target; a check stops once that is settled, so it is near 1.'
const briefNote = 'margin: for the gate that has the least, its ratio relative to its target.'

/** From wide to narrow: the least telling column goes first. */
const shapes = [
  ['#', 'lesson', 'verdict', 'least margin in', 'ratio', 'target', 'margin', 'certain', 'time'],
  ['#', 'lesson', 'verdict', 'ratio', 'target', 'margin', 'certain', 'time'],
  ['#', 'verdict', 'ratio', 'target', 'margin', 'certain', 'time'],
  ['#', 'verdict', 'margin', 'time']
]
const words = ['lesson', 'verdict', 'least margin in']

/**
 * @param {readonly Rehearsed[]} lessons
 * @param {Theme} theme
 * @returns {string[]} the first shape that fits, and what its columns mean
 */
function layoutRehearsal (lessons, theme) {
  const cells = lessons.map((one) => cellsOf(one, theme))
  const tables = shapes.map((heads) => [
    secondaryRow(heads),
    ...cells.map((row) => heads.map((head) => row[head]))
  ])
  const at = tables.findIndex((rows) => fits(tableWidth(rows), theme))
  const heads = shapes.at(at) ?? []
  const meaning = wrapText(heads.includes('certain') ? note : briefNote, theme.columns)
  return [
    ...layoutTable(tables.at(at) ?? [], heads.map((head) => words.includes(head) ? 'left' : 'right'), theme),
    '',
    ...meaning.map((line) => theme.paint('secondary', line))
  ]
}

/** @param {Rehearsed} rehearsed @param {Theme} theme @returns {Record<string, Cell>} by the head of their column */
function cellsOf ({ record, least, lack }, { marks, line }) {
  const { lesson, verdict, durationMs } = record
  const times = (/** @type {number | null | undefined} */ value) => value === null || value === undefined
    ? marks.none
    : `${formatNumber(value, marks.none)}${marks.times}`
  return {
    '#': { text: String(lesson.number) },
    lesson: { text: line(lesson.title) },
    verdict: { text: `${marks[verdict]} ${verdict}`, style: styleOf(verdict) },
    'least margin in': { text: least === null ? '' : line(least.gate.name) },
    ratio: { text: least === null ? marks.none : formatRatio(least.gate, marks) },
    target: { text: least === null ? marks.none : formatTarget(least.gate, marks) },
    margin: { text: times(least?.margin), style: lack === null ? 'pass' : 'inconclusive' },
    certain: { text: times(least?.certain), style: 'secondary' },
    time: { text: formatDuration(durationMs, marks.none), style: 'secondary' }
  }
}
