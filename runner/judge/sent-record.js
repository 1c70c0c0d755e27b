import { recordSchema, sentSchema } from './record-schema.js'
import { keepKnown, problemOf } from './schema.js'

/** @import { ResultRecord, SentRecord } from './record.js' */

/**
 * What of a result record leaves the learner's machine once they have joined a room. Pure.
 *
 * @param {ResultRecord | SentRecord} record
 * @returns {SentRecord} the same for a record that was sent before
 */
export function sentRecord (record) {
  return keepKnown(sentSchema, record)
}

/** @param {unknown} value @returns {string | null} why it is no record that was sent; null: it is one */
export function sentRecordProblem (value) {
  return problemOf(sentSchema, value)
}

/** @param {unknown} value @returns {value is ResultRecord} */
export function isRecord (value) {
  return problemOf(recordSchema, value) === null
}
