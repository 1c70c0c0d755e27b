import { cleanLine } from '../../runner/shared/text.js'
import { sentRecord, sentRecordProblem } from '../../runner/judge/index.js'
import { addAttempt, knownOf } from './attempts.js'

/**
 * Submissions as the room sees them, their results, and the queue. Pure.
 *
 * @import { SentRecord } from '../../runner/judge/index.js'
 * @import { Presence, Row, Table } from '../queue/index.js'
 * @import { KnownReport, Lessons, RoomLesson } from './attempts.js'
 *
 * @typedef {{ isVerified: boolean, sandbox: string, fitness: string }} Graded isVerified: it ran in a sandbox;
 *   fitness: of the worker's machine, a sentence
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

/** Verified results, separate from reported ones. @param {Map<number, Submission>} submissions */
export function verifiedOf (submissions) {
  /** @type {Map<number, Lessons>} by seat */
  const seats = new Map()
  for (const one of submissions.values()) {
    if (!one.graded?.isVerified || one.cheat !== null) continue
    const lessons = seats.get(one.seat) ?? new Map()
    seats.set(one.seat, lessons)
    addAttempt(lessons, one.graded.report)
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

/**
 * The queue as people see it: places, expected times, and the workers.
 *
 * @typedef {Omit<Presence, 'worker'> & { name: string, seenAt: number }} Worker seenAt: ms since 1970
 * @typedef {ReturnType<typeof placesOf>[number]} Place
 */

const goneMs = 60_000
const recent = 20
const mostShown = 50
const order = { stuck: 0, leased: 1, waiting: 2, done: 3 }

/**
 * Places in the order stuck, in hand, then waiting, the next one first.
 *
 * @param {readonly Submission[]} all
 * @param {readonly Worker[]} workers
 * @param {number} now ms since 1970
 */
export function placesOf (all, workers, now) {
  const working = workers.filter(({ seenAt }) => !isGone(seenAt, now)).length
  const usualMs = usualTime(all)
  let waiting = 0
  const open = all.filter(({ state }) => state !== 'done').sort((a, b) =>
    order[a.state] - order[b.state] || a.round - b.round || a.id - b.id)
  return open.map(({ id, seat, lesson, state, worker, problem, takenAt }) => {
    // So many are before it.
    const ahead = state === 'waiting' ? waiting++ : 0
    const isKnown = usualMs !== null && working > 0 && state !== 'stuck'
    const leftMs = state === 'leased' ? Math.max(0, (takenAt ?? now) + (usualMs ?? 0) - now) : 0
    const expectedMs = !isKnown ? null : state === 'leased' ? leftMs : usualMs * (Math.floor(ahead / working) + 1)
    return { id, seat, lesson, state, ahead, expectedMs, worker, problem }
  })
}

/**
 * @typedef {{ submissions: Map<number, Submission>, workers: Map<string, Worker>, isCut: boolean }} Queue isCut: Redis
 *   doesn't answer
 *
 * @param {Queue & { now: () => number }} room
 */
export function queueView ({ submissions, workers, isCut, now: time }) {
  const now = time()
  const places = placesOf([...submissions.values()], [...workers.values()], now)
  const count = (/** @type {Place['state']} */ wanted) => places.filter(({ state }) => state === wanted).length
  return {
    waiting: count('waiting'),
    stuck: count('stuck'),
    isCut,
    places: places.slice(0, mostShown),
    workers: [...workers.values()].map(({ seenAt, ...worker }) => ({
      ...worker,
      job: places.find(({ state, worker: name }) => state === 'leased' && name === worker.name)?.id ?? null,
      isGone: isGone(seenAt, now)
    }))
  }
}

/** @param {number} seenAt @param {number} now */
export function isGone (seenAt, now) {
  return now - seenAt > goneMs
}

/** @param {readonly Submission[]} submissions @returns {number | null} how long gradings took lately, ms */
function usualTime (submissions) {
  const times = submissions
    .flatMap(({ state, takenAt, gradedAt }) =>
      state === 'done' && takenAt !== null && gradedAt !== null ? { gradedAt, ms: gradedAt - takenAt } : [])
    .sort((a, b) => b.gradedAt - a.gradedAt).slice(0, recent)
    .map(({ ms }) => ms).sort((a, b) => a - b)
  return times.length === 0 ? null : times[times.length >> 1]
}
