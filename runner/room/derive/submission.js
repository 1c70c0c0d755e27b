import { sentRecord, sentRecordProblem } from '../../judge/index.js'
import { cleanLine } from '../../clean.js'
import { addAttempt } from './attempts.js'
import { knownOf } from './facts.js'

/**
 * Submissions as the room sees them, and their results. Pure.
 *
 * @import { SentRecord } from '../../judge/index.js'
 * @import { Row, Table } from '../../queue/index.js'
 * @import { Lessons } from './attempts.js'
 * @import { KnownReport } from './facts.js'
 * @import { RoomLesson } from './known-words.js'
 *
 * @typedef {object} Graded
 * @property {boolean} isVerified it ran in a sandbox
 * @property {string} sandbox
 * @property {string} fitness of the worker's machine, a sentence
 *
 * @typedef {Graded & { record: SentRecord, evidence: unknown }} Result as it is kept; evidence: the whole record
 *
 * @typedef {{ at: string, evidence: string }} Cheat at: ISO 8601
 *
 * @typedef {Omit<Row, 'result' | 'cheat'> & { graded: (Graded & { report: KnownReport }) | null,
 *   cheat: Cheat | null }} Submission
 */

const mostEvidenceBytes = 32 * 1024
const longestText = 300

/** @param {Row} row @param {readonly RoomLesson[]} lessons @returns {Submission} */
export function submissionOf ({ result, cheat, ...row }, lessons) {
  const marked = cheat === null ? null : JSON.parse(cheat)
  if (result === null) return { ...row, graded: null, cheat: marked }
  const { record, isVerified, sandbox, fitness } = /** @type {Result} */ (JSON.parse(result))
  const at = new Date(row.gradedAt ?? 0).toISOString()
  const report = knownOf({
    seat: row.seat,
    id: `graded-${row.id}`,
    source: 'verified',
    startedAt: record.startedAt,
    sentAt: at,
    receivedAt: at,
    record: JSON.stringify(record)
  }, lessons)
  return { ...row, graded: { isVerified, sandbox, fitness, report }, cheat: marked }
}

/**
 * @param {any} given what a worker sends
 * @param {string} lesson id of the lesson to be graded
 * @returns {Result | string} a text is a sentence: why it isn't a result
 */
export function readResult (given, lesson) {
  const record = sentRecord(given?.record)
  const problem = sentRecordProblem(record)
  if (problem !== null) return `This isn’t the record of a check: ${problem}.`
  if (record.lesson.id !== lesson) return 'This is the record of another lesson.'
  const text = (/** @type {unknown} */ value) => typeof value === 'string' ? cleanLine(value).slice(0, longestText) : ''
  const isShort = Buffer.byteLength(JSON.stringify(given.record)) <= mostEvidenceBytes
  return {
    record,
    evidence: isShort ? given.record : null,
    isVerified: given.isVerified === true,
    sandbox: text(given.sandbox),
    fitness: text(given.fitness)
  }
}

/** @param {Submission} submission @returns {KnownReport | null} null: it has no verified result that counts */
function verifiedReport ({ graded, cheat }) {
  return graded?.isVerified && cheat === null ? graded.report : null
}

/** Seats with a verified pass, by lesson. @param {Iterable<Submission>} all @returns {Map<string, Set<number>>} */
export function verifiedPasses (all) {
  const passes = new Map()
  for (const one of all) {
    if (verifiedReport(one)?.verdict !== 'pass') continue
    passes.set(one.lesson, (passes.get(one.lesson) ?? new Set()).add(one.seat))
  }
  return passes
}

/**
 * @param {Iterable<Submission>} submissions
 * @returns {Map<number, Lessons>} verified results by seat and lesson, separate from reported ones
 */
export function verifiedOf (submissions) {
  /** @type {Map<number, Lessons>} */
  const seats = new Map()
  for (const one of submissions) {
    const report = verifiedReport(one)
    if (report === null) continue
    const lessons = seats.get(one.seat) ?? new Map()
    seats.set(one.seat, lessons)
    addAttempt(lessons, report)
  }
  return seats
}

/** With its files and the evidence. @param {{ submissions: Pick<Table, 'whole'> }} store @param {number} id */
export function wholeSubmission ({ submissions }, id) {
  const found = submissions.whole(id)
  if (found === null) return null
  const { files, result, cheat, ...row } = found
  return { ...row, files: JSON.parse(files), result: JSON.parse(result ?? 'null'), cheat: JSON.parse(cheat ?? 'null') }
}
