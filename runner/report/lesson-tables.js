import { percent, plural } from '../shared/format.js'
import { formatDuration, formatNumber, formatRatio, formatTarget, formatWhen } from './numbers.js'
import { firstFitting, layoutFitted, layoutTable, secondaryRow } from './table.js'
import { styleOf, themeFor, truncateText, wrapText } from './theme.js'

/**
 * Tables of lessons as text without a newline at the end, for `check all`, `list`, a rehearsal and graded submissions.
 *
 * @import { GateResult, ResultRecord, Verdict } from '../judge/index.js'
 * @import { Cell, Row } from './table.js'
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
  const lessons = records.map((record) => {
    const measured = record.gates.filter((gate) => gate.ratio !== null)
    const gate = measured.find((gate) => gate.verdict === record.verdict) ?? measured[0]
    return {
      number: record.lesson.number,
      title: record.lesson.title,
      state: verdictCell(record, theme),
      ratio: gate === undefined ? marks.none : formatRatio(gate, marks),
      more: [formatDuration(record.durationMs, marks.none)]
    }
  })
  return [...lessonLines(['verdict', 'ratio', 'time'], lessons, theme), '', ...countLines(records, theme)].join('\n')
}

/** @param {{ verdict: Verdict }} record @param {Theme} theme @param {string} [doubt] @returns {Cell} */
function verdictCell ({ verdict }, { marks }, doubt = '') {
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
  const lessons = rows.map(({ number, title, id, state, tier, ratio, share, attempts, when }) => ({
    number,
    title,
    id,
    state: stateCell(state, tier, theme),
    ratio: ratio === null ? '' : formatRatio({ ratio, ratioUnit: '×', target: null }, theme.marks),
    more: [typeof share === 'number' ? percent(share) : '', attempts ? String(attempts) : '', formatWhen(when)]
  }))
  return lessonLines(['state', 'ratio', 'share', 'checks', 'last check'], lessons, theme).join('\n')
}

/** @param {ProgressRow['state']} state @param {ProgressRow['tier']} tier @param {Theme} theme @returns {Cell} */
function stateCell (state, tier, theme) {
  const { marks, line } = theme
  if (state === 'pass' && tier) return { text: `${marks.pass} ${line(tier)}`, style: 'pass' }
  if (state === 'not started') return { text: `${marks.pending} ${state}`, style: 'secondary' }
  if (state === 'started') return { text: `${marks.current} ${state}` }
  return verdictCell({ verdict: state }, theme)
}

/**
 * @typedef {{ number: number, title: string, id?: string, state: Cell, ratio: string, more: string[] }} Lesson more:
 *   what is dropped when there's no room, from its end
 * @typedef {{ title: number, id: boolean, more: number }} Shape title: the longest that stays uncut; more: how many of
 *   the further columns
 */

/** From long to short. */
const titles = Array.from({ length: 17 }, (_, at) => 40 - 2 * at)

/**
 * The first shape that fits: first the id goes, then the title is cut, then further columns go, the last one first.
 *
 * @param {string[]} heads of state, ratio and the further columns
 * @param {Lesson[]} lessons
 * @param {Theme} theme
 */
function lessonLines (heads, lessons, theme) {
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
  const rows = firstFitting(shapes.map((shape) => () => lessonRows(heads, lessons, shape, theme)), theme)
  const lastText = rows[0][2].text === 'id' ? 3 : 2
  return layoutTable(rows, rows[0].map((_, at) => at > 0 && at <= lastText ? 'left' : 'right'), theme)
}

/** @param {string[]} heads @param {Lesson[]} lessons @param {Shape} shape @param {Theme} theme @returns {Row[]} */
function lessonRows ([stateHead, ratioHead, ...moreHeads], lessons, shape, { line, marks }) {
  const head = ['#', 'lesson', ...shape.id ? ['id'] : [], stateHead, ratioHead, ...moreHeads.slice(0, shape.more)]
  return [secondaryRow(head), ...lessons.map(({ number, title, id, state, ratio, more }) => [
    { text: String(number) },
    { text: truncateText(line(title), shape.title, marks.ellipsis) },
    ...shape.id ? secondaryRow([line(id)]) : [],
    state,
    { text: ratio },
    ...secondaryRow(more.slice(0, shape.more))
  ])]
}

/**
 * @typedef {object} GradeRow
 * @property {string} learner
 * @property {{ number: number }} lesson
 * @property {Verdict} verdict
 * @property {string} reason
 * @property {boolean} verified
 * @property {boolean} [unbounded] but nothing bounded its memory
 */

/** One row for each graded submission. @param {readonly GradeRow[]} rows @param {TextOptions} [options] */
export function gradesTable (rows, options) {
  const theme = themeFor(options)
  const heads = secondaryRow(['learner', 'lesson', 'verdict', 'reason'])
  const doubt = (/** @type {GradeRow} */ { verified, unbounded, verdict }) =>
    verdict === 'error' ? '' : !verified ? ', unverified' : unbounded ? ', memory unbounded' : ''
  /** @type {Row[]} */
  const cells = rows.map((row) => [
    { text: theme.line(row.learner) },
    { text: String(row.lesson.number) },
    verdictCell(row, theme, doubt(row)),
    { text: theme.line(row.reason), style: 'secondary' }
  ])
  return layoutFitted([heads, ...cells], ['left', 'right', 'left', 'left'], theme, { head: true }).join('\n')
}

/**
 * Reference solutions on one machine, one row each.
 *
 * @typedef {{ record: ResultRecord, least: { gate: GateResult, margin: number, certain: number | null } | null, lack:
 *   string | null }} Rehearsed least: the gate with the least margin
 */

const note = 'margin: for the gate that has the least, its ratio relative to its target. certain: the same for the ' +
  'end of the deciding interval nearest the target; a check stops once that is settled, so it is near 1.'
const briefNote = 'margin: for the gate that has the least, its ratio relative to its target.'

/** From wide to narrow: the least telling column goes first. */
const rehearsalHeads = [
  ['#', 'lesson', 'verdict', 'least margin in', 'ratio', 'target', 'margin', 'certain', 'time'],
  ['#', 'lesson', 'verdict', 'ratio', 'target', 'margin', 'certain', 'time'],
  ['#', 'verdict', 'ratio', 'target', 'margin', 'certain', 'time'],
  ['#', 'verdict', 'margin', 'time']
]
const words = ['lesson', 'verdict', 'least margin in']

/**
 * One row for each rehearsed lesson, with the gate that has the least margin, and what the columns mean.
 *
 * @param {readonly Rehearsed[]} lessons
 * @param {TextOptions} [options]
 */
export function rehearsalTable (lessons, options) {
  const theme = themeFor(options)
  const cells = lessons.map((one) => rehearsedCells(one, theme))
  const rows = firstFitting(rehearsalHeads.map((heads) => () => [
    secondaryRow(heads),
    ...cells.map((row) => heads.map((head) => row[head]))
  ]), theme)
  const heads = rows[0].map(({ text }) => text)
  const meaning = wrapText(heads.includes('certain') ? note : briefNote, theme.columns)
  return [
    ...layoutTable(rows, heads.map((head) => words.includes(head) ? 'left' : 'right'), theme),
    '',
    ...meaning.map((line) => theme.paint('secondary', line))
  ].join('\n')
}

/** @param {Rehearsed} rehearsed @param {Theme} theme @returns {Record<string, Cell>} by the head of their column */
function rehearsedCells ({ record, least, lack }, theme) {
  const { marks, line } = theme
  const times = (/** @type {number | null | undefined} */ value) => value === null || value === undefined
    ? marks.none
    : `${formatNumber(value, marks.none)}${marks.times}`
  return {
    '#': { text: String(record.lesson.number) },
    lesson: { text: line(record.lesson.title) },
    verdict: verdictCell(record, theme),
    'least margin in': { text: least === null ? '' : line(least.gate.name) },
    ratio: { text: least === null ? marks.none : formatRatio(least.gate, marks) },
    target: { text: least === null ? marks.none : formatTarget(least.gate, marks) },
    margin: { text: times(least?.margin), style: lack === null ? 'pass' : 'inconclusive' },
    certain: { text: times(least?.certain), style: 'secondary' },
    time: { text: formatDuration(record.durationMs, marks.none), style: 'secondary' }
  }
}
