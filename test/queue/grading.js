import { passed } from '../report/records.js'

/** What tests grade with: a grader that measures nothing. */

/** @param {string} lesson id @param {object} [differences] of the record */
export function gradedAs (lesson, differences = {}) {
  const record = { ...passed(), lesson: { id: lesson, number: 3, title: 'x' }, ...differences }
  return { record, isVerified: true, sandbox: 'bubblewrap', fitness: 'Fit.' }
}

/** @param {string} text @param {string} [lesson] */
export function submissionOf (text, lesson = 'in-memory-json') {
  return { lesson, files: [{ path: 'server.js', text }] }
}
