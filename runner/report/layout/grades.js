/** Graded submissions, one row each. */
import { layoutFitted } from './fitted-table.js'
import { secondaryRow } from './table.js'
import { styleOf } from './theme.js'

/**
 * @import { Verdict } from '../../judge/index.js'
 * @import { Row } from './table.js'
 * @import { Theme } from './theme.js'
 *
 * @typedef {object} GradeRow
 * @property {string} learner
 * @property {{ number: number }} lesson
 * @property {Verdict} verdict
 * @property {string} reason
 * @property {boolean} verified
 * @property {boolean} [unbounded] but nothing bounded its memory
 */

/** @param {readonly GradeRow[]} rows @param {Theme} theme @returns {string[]} */
export function layoutGrades (rows, theme) {
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
