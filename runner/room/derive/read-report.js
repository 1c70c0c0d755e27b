import { sentRecord, sentRecordProblem } from '../../judge/index.js'

/** @import { Report } from '../store/store.js' */

/**
 * Input from a learner's machine isn't trusted: it's validated as a record, and what doesn't belong
 * to one is dropped. Pure.
 *
 * @param {any} body `{ id, sentAt, record }`
 * @param {readonly string[]} lessons ids of the room's
 * @returns {string | Omit<Report, 'seat' | 'source' | 'receivedAt'>} a text is a sentence: why it isn't a report
 */
export function readReport (body, lessons) {
  const { id } = body
  if (typeof id !== 'string' || !/^[\w-]{8,64}$/.test(id)) return 'A report needs an id of 8 to 64 letters and digits.'
  const record = sentRecord(body.record)
  const problem = sentRecordProblem(record)
  if (problem !== null) return `This isn’t the record of a check: ${problem}.`
  const [sentAt, startedAt] = [body.sentAt, record.startedAt].map(timeOf)
  if (sentAt === null || startedAt === null) return 'A report needs the times at which its check began and it was sent.'
  if (!lessons.includes(record.lesson.id)) return 'This room doesn’t have that lesson: its lessons differ from yours.'
  return { id, sentAt, startedAt, record: JSON.stringify({ ...record, startedAt }) }
}

/** @param {unknown} value @returns {string | null} ISO 8601, of a day on which a class may have taken place */
function timeOf (value) {
  if (typeof value !== 'string' || value.length > 40) return null
  const at = Date.parse(value)
  return at > Date.UTC(2000) && at < Date.UTC(2200) ? new Date(at).toISOString() : null
}
