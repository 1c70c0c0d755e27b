/** Reference solutions on one machine, a row each. */
import { layoutFitted } from './fitted-table.js'
import { formatDuration, formatNumber, formatRatio, formatTarget } from './numbers.js'
import { tableWidth } from './table.js'
import { fits, styleOf } from './theme.js'

/**
 * @import { Rehearsed } from '../../judge/index.js'
 * @import { Row } from './table.js'
 * @import { Theme } from './theme.js'
 */

const heads = ['lesson', 'verdict', 'least margin in', 'ratio', 'target', 'margin', 'certain', 'time']
/** @type {('left' | 'right')[]} */
const align = ['left', 'left', 'left', 'right', 'right', 'right', 'right', 'right']

/**
 * @param {readonly Rehearsed[]} lessons
 * @param {Theme} theme
 * @returns {string[]}
 */
export function layoutRehearsal (lessons, theme) {
  const rows = [
    heads.map((text) => ({ text, style: /** @type {const} */ ('secondary') })),
    ...lessons.map((one) => rowOf(one, theme))
  ]
  if (fits(tableWidth(rows), theme)) return layoutFitted(rows, align, theme, { head: true })
  // The title goes first: the number names the lesson.
  const numbered = rows.map(([lesson, ...rest], at) =>
    [at === 0 ? lesson : { text: `Lesson ${lessons[at - 1].record.lesson.number}` }, ...rest])
  return layoutFitted(numbered, align, theme, { head: true })
}

/** @param {Rehearsed} rehearsed @param {Theme} theme @returns {Row} */
function rowOf ({ record, least, lack }, { marks, line }) {
  const { lesson, verdict, durationMs } = record
  const times = (/** @type {number | null | undefined} */ value) => value === null || value === undefined
    ? marks.none
    : `${formatNumber(value, marks.none)}${marks.times}`
  return [
    { text: line(`${lesson.number} ${lesson.title}`) },
    { text: `${marks[verdict]} ${verdict}`, style: styleOf(verdict) },
    { text: least === null ? '' : line(least.gate.name) },
    { text: least === null ? marks.none : formatRatio(least.gate, marks) },
    { text: least === null ? marks.none : formatTarget(least.gate, marks) },
    { text: times(least?.margin), style: lack === null ? 'pass' : 'inconclusive' },
    { text: times(least?.certain), style: 'secondary' },
    { text: formatDuration(durationMs, marks.none), style: 'secondary' }
  ]
}
