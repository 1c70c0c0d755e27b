/** Tables of lessons as text, for `check all`, `list` and a rehearsal. */
import { themeFor } from './capabilities.js'
import { layoutGrades } from './layout/grades.js'
import { layoutProgress, layoutSummary } from './layout/lessons.js'
import { layoutRehearsal } from './layout/rehearsal.js'

/**
 * @import { Rehearsed, ResultRecord } from '../judge/index.js'
 * @import { TextOptions } from './capabilities.js'
 * @import { GradeRow } from './layout/grades.js'
 * @import { ProgressRow } from './layout/lessons.js'
 */

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
