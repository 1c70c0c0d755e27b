/** Tables of lessons as text, for `check all`, `list` and a rehearsal. */
import { themeFor } from './capabilities.js'
import { layoutProgress, layoutSummary } from './layout/lessons.js'
import { layoutRehearsal } from './layout/rehearsal.js'

/**
 * @import { Rehearsed, ResultRecord } from '../judge/index.js'
 * @import { Output } from './capabilities.js'
 * @import { ProgressRow } from './layout/lessons.js'
 * @import { Look } from './layout/theme.js'
 *
 * @typedef {Look & { stream?: Output }} TableLook
 */

/**
 * One row a lesson (number, title, verdict, the ratio of the gate that decided, duration) and a last line that counts.
 *
 * @param {ResultRecord[]} records
 * @param {TableLook} [look] what is not given is found out from the stream, default stdout
 * @returns {string} lines without a newline at the end
 */
export function summaryTable (records, look) {
  return layoutSummary(records, themeFor(look)).join('\n')
}

/**
 * One row a lesson with the learner's state.
 *
 * @param {ProgressRow[]} rows
 * @param {TableLook} [look] what is not given is found out from the stream, default stdout
 * @returns {string} lines without a newline at the end
 */
export function progressTable (rows, look) {
  return layoutProgress(rows, themeFor(look)).join('\n')
}

/**
 * One row a lesson, with the gate that has the least margin.
 *
 * @param {Rehearsed[]} lessons
 * @param {TableLook} [look] what is not given is found out from the stream, default stdout
 * @returns {string} lines without a newline at the end
 */
export function rehearsalTable (lessons, look) {
  return layoutRehearsal(lessons, themeFor(look)).join('\n')
}
