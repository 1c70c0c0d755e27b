/** Reference solutions on one machine, one row each. */
import { formatDuration, formatNumber, formatRatio, formatTarget } from './numbers.js'
import { layoutTable, secondaryRow, tableWidth } from './table.js'
import { wrapText } from './text.js'
import { fits, styleOf } from './theme.js'

/**
 * @import { Rehearsed } from '../../judge/index.js'
 * @import { Cell } from './table.js'
 * @import { Theme } from './theme.js'
 */

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
export function layoutRehearsal (lessons, theme) {
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
