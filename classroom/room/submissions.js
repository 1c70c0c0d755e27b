import { cleanLine } from '../../runner/shared/text.js'
import { refuse } from '../../runner/http/index.js'
import { submissionHash, submissionProblem } from '../../runner/shared/seat-and-room.js'
import { keep } from './room-state.js'
import { isGone, placesOf, readResult, submissionOf, wholeSubmission } from './submission.js'

/**
 * Submissions, from a learner's request to a worker's outcome. Every change goes to the store first.
 *
 * @import { Held, Job, Row, Table, Ticket, Work } from '../queue/index.js'
 * @import { SubmittedFile } from '../../runner/shared/seat-and-room.js'
 * @import { LiveSeat, Room } from './room-state.js'
 * @import { Submission } from './submission.js'
 */

/** Of one seat. The more tries, the likelier that chance lets one pass that is near its target. */
const mostKept = { submissions: 100, ofLesson: 20, bytes: 2 * 1024 * 1024, waiting: 3 }

/**
 * @param {Room} room
 * @param {LiveSeat} seat
 * @param {any} body lesson and files
 * @returns {{ submission: Submission, isNew: boolean }} not new: the same files were submitted before
 */
export function submit (room, seat, body) {
  const { lesson, files } = body
  if (!room.ids.includes(lesson)) throw refuse(400, 'This room doesn’t have that lesson.')
  const problem = submissionProblem(files)
  if (problem !== null) throw refuse(400, problem)
  const hash = submissionHash(files)
  const { submissions } = room.store
  const before = submissions.find({ seat: seat.id, lesson, hash })
  if (before !== null) return { submission: submissionOf(before, room.lessons), isNew: false }
  const text = JSON.stringify(files.map((/** @type {SubmittedFile} */ { path, text }) => ({ path, text })))
  refuseTooMany(submissions.keptOf({ seat: seat.id, lesson }), Buffer.byteLength(text))
  const row = keep(() => submissions.add({ seat: seat.id, lesson, hash, files: text, now: room.now() }))
  return { submission: queued(room, row), isNew: true }
}

/** @param {typeof mostKept} kept of the seat @param {number} added bytes */
function refuseTooMany ({ submissions, ofLesson, bytes, waiting }, added) {
  if (waiting >= mostKept.waiting) {
    throw refuse(429, `${mostKept.waiting} of your submissions are waiting: submit again once one is graded.`)
  }
  if (ofLesson >= mostKept.ofLesson) {
    throw refuse(413, `A room takes ${mostKept.ofLesson} submissions to a lesson from each seat: this one wasn’t kept.`)
  }
  if (submissions < mostKept.submissions && bytes + added <= mostKept.bytes) return
  throw refuse(413, `A room keeps ${mostKept.submissions} submissions and 2 MB of each seat: this one wasn’t kept.`)
}

/** A submission as its learner may know it. @param {Room} room @param {Submission} submission */
export function ownSubmission (room, { id, lesson, state, problem, graded, cheat }) {
  const places = () => placesOf([...room.submissions.values()], [...room.workers.values()], room.now())
  const place = state === 'waiting' ? places().find((one) => one.id === id) : undefined
  return {
    id,
    lesson,
    state,
    // With a slash, it may name a file of the grader's machine.
    problem: problem !== null && /[\\/]/.test(problem) ? 'The instructor’s page says why.' : problem,
    ahead: place?.ahead ?? null,
    expectedMs: place?.expectedMs ?? null,
    isVerified: graded?.isVerified ?? false,
    verdict: graded?.report.verdict ?? null,
    ratio: graded?.report.ratio ?? null,
    cheat: cheat?.evidence ?? null
  }
}

/** Old results stay until there are new ones. @param {Room} room @param {any} given id of one, or lesson, or all */
export function gradeAgain (room, { id, lesson, all }) {
  const chosen = [...room.submissions.values()].filter((one) =>
    (all === true || one.id === id || one.lesson === lesson) && (one.state === 'done' || one.state === 'stuck'))
  if (chosen.length === 0) throw refuse(404, 'No submission of these has been graded yet.')
  const about = all === true ? 'all' : String(lesson ?? id)
  const rows = keep(() => room.store.logged(room.audit('instructor', 'grade again', about), () =>
    chosen.flatMap((one) => room.store.submissions.again(one.id, room.now()) ?? [])))
  for (const row of rows) queued(room, row)
  return rows.length
}

/**
 * A result that doesn't count any more, or counts again.
 *
 * @param {Room} room
 * @param {number} id
 * @param {string | null} evidence a sentence; null: not a cheat
 */
export function markCheat (room, id, evidence) {
  const said = cleanLine(evidence).slice(0, 500)
  if (evidence !== null && said === '') throw refuse(400, 'Say what shows that it’s a cheat.')
  const cheat = evidence === null ? null : JSON.stringify({ at: room.time(), evidence: said })
  const audit = room.audit('instructor', cheat === null ? 'no cheat' : 'cheat', id)
  const row = keep(() => room.store.logged(audit, () => room.store.submissions.mark(id, cheat)))
  if (row === null) throw refuse(404, 'There’s no result of that submission.')
  noted(room, row)
}

/** Everything about one, for the instructor. @param {Room} room @param {number} id */
export function showSubmission (room, id) {
  const found = wholeSubmission(room.store, id)
  if (found === null) throw refuse(404, 'There’s no such submission in this room.')
  return found
}

/** @param {Room} room @param {Row} row @returns {Submission} */
function noted (room, row) {
  const submission = submissionOf(row, room.lessons)
  room.submissions.set(row.id, submission)
  room.onChange()
  return submission
}

/** @param {Room} room @param {Row} row */
function queued (room, row) {
  const submission = noted(room, row)
  if (row.state === 'waiting') room.onWaiting()
  return submission
}

/** The same for workers, on this machine or others. @param {Room} room @returns {Work} */
export function workIn (room) {
  return {
    noteWorker: (presence) => noteWorker(room, presence),
    workers: () => [...room.workers.values()].filter(({ seenAt }) => !isGone(seenAt, room.now())),
    claim: ({ worker, without }) => {
      expire(room)
      const row = keep(() => room.store.submissions.claim({ worker, now: room.now(), without }))
      if (row === null) return null
      const { files, ...rest } = row
      noted(room, rest)
      return { ...ticketOf(row), files: JSON.parse(files) }
    },
    held: () => [...room.submissions.values()].flatMap((one) =>
      one.state === 'leased' ? { ...ticketOf(one), files: [] } : []),
    filesOf: (id) => wholeSubmission(room.store, id)?.files ?? [],
    renew: (given) => {
      const row = keep(() => room.store.submissions.renew(heldOf(room, given)))
      const worker = row === null ? undefined : room.workers.get(row.worker ?? '')
      if (worker !== undefined) worker.seenAt = room.now()
      return row !== null
    },
    begin: (given) => {
      const worker = cleanLine(given.worker).slice(0, 200)
      const row = keep(() => room.store.submissions.begin({ ...heldOf(room, given), worker }))
      if (row !== null) noted(room, row)
      return row !== null
    },
    settle: (given) => {
      const ticket = heldOf(room, given)
      const lesson = room.submissions.get(ticket.id)?.lesson
      if (lesson === undefined) return false
      const row = keep(() => noteOutcome(room.store.submissions, ticket, Object(given.outcome), lesson))
      if (row !== null) queued(room, row)
      return row !== null
    }
  }
}

/** @param {Pick<Job, 'id' | 'token' | 'queuedAt' | 'lesson'>} row */
function ticketOf ({ id, token, queuedAt, lesson }) {
  return { id, token, queuedAt, lesson }
}

/** @param {Room} room @param {any} presence as a worker describes itself */
function noteWorker (room, { worker, machine, fitness, unfit }) {
  const text = (/** @type {unknown} */ value) => typeof value === 'string' ? cleanLine(value).slice(0, 200) : ''
  const name = text(worker)
  const known = room.ids.filter((id) => Array.isArray(unfit) && unfit.includes(id))
  room.workers.set(name, { name, machine: text(machine), fitness: text(fitness), unfit: known, seenAt: room.now() })
  room.onChange()
}

/**
 * Only what a worker has failed at is tried again: a submission's own problem is final.
 *
 * @param {Table} table
 * @param {Held} ticket
 * @param {any} outcome
 * @param {string} lesson id
 * @returns {Row | null}
 */
function noteOutcome (table, ticket, { result, problem, failure, isGivenBack }, lesson) {
  const text = (/** @type {unknown} */ said) => typeof said === 'string' ? cleanLine(said).slice(0, 500) : ''
  if (isGivenBack === true) return table.release(ticket)
  if (text(problem) !== '') return table.fail({ ...ticket, problem: text(problem) })
  if (result === undefined) return table.lose({ ...ticket, problem: text(failure) || 'Its worker didn’t say why.' })
  const read = readResult(result, lesson)
  if (typeof read === 'string') return table.lose({ ...ticket, problem: read })
  // A failure to grade isn't a result: the learner isn't to blame.
  if (read.record.verdict === 'error') {
    return table.fail({ ...ticket, problem: text(result.record.reason) || 'It couldn’t be graded.' })
  }
  return table.finish({ ...ticket, result: JSON.stringify(read) })
}

/** Takes back what silent workers hold. @param {Room} room */
export function expire (room) {
  for (const row of keep(() => room.store.submissions.expire(room.now()))) queued(room, row)
}

/** @param {Room} room @param {Ticket} given @returns {Held} */
function heldOf (room, { id, token }) {
  return { id, token, now: room.now() }
}
