import { refuse } from '../http/index.js'
import { cleanLine } from '../clean.js'
import { submissionHash, submissionProblem } from '../submitted-files.js'
import { placesOf } from './derive/queue-view.js'
import { readResult, submissionOf, wholeSubmission } from './derive/submission.js'
import { keep } from './keep.js'

/**
 * What learners submit, and what workers and the instructor do with it. Every change goes to the store first.
 *
 * @import { Row } from '../queue/index.js'
 * @import { SubmittedFile } from '../submitted-files.js'
 * @import { LiveSeat, RoomContext } from './context.js'
 * @import { Submission } from './derive/submission.js'
 */

/** Of one seat. */
const mostKept = { submissions: 100, bytes: 2 * 1024 * 1024, waiting: 20 }

/**
 * @param {RoomContext} room
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
  refuseTooMany(submissions.keptOf(seat.id), Buffer.byteLength(text))
  const row = keep(() => submissions.add({ seat: seat.id, lesson, hash, files: text, now: room.now() }))
  return { submission: queued(room, row), isNew: true }
}

/** @param {typeof mostKept} kept of the seat @param {number} added bytes */
function refuseTooMany ({ submissions, bytes, waiting }, added) {
  if (waiting >= mostKept.waiting) {
    throw refuse(429, `${mostKept.waiting} of your submissions are waiting: submit again once one is graded.`)
  }
  if (submissions < mostKept.submissions && bytes + added <= mostKept.bytes) return
  throw refuse(413, `A room keeps ${mostKept.submissions} submissions and 2 MB of each seat: this one wasn’t kept.`)
}

/**
 * What its learner may know about it.
 *
 * @param {RoomContext} room
 * @param {Submission} submission
 */
export function ownSubmission (room, { id, lesson, state, problem, graded, cheat }) {
  const place = state === 'waiting' ? placesNow(room).find((one) => one.id === id) : undefined
  return {
    id,
    lesson,
    state,
    problem,
    ahead: place?.ahead ?? null,
    expectedMs: place?.expectedMs ?? null,
    isVerified: graded?.isVerified ?? false,
    verdict: graded?.report.verdict ?? null,
    ratio: graded?.report.ratio ?? null,
    cheat: cheat?.evidence ?? null
  }
}

/** @param {RoomContext} room */
function placesNow ({ submissions, workers, now }) {
  return placesOf([...submissions.values()], [...workers.values()], now())
}

/**
 * A worker reports itself, and may want a job: the next one, or the one of a ticket.
 *
 * @param {RoomContext} room
 * @param {any} given worker, machine, fitness, unfit, ticket; wants: is it free?
 * @returns {{ job: { id: number, token: number, lesson: string, files: unknown } | null, isWaiting: boolean }}
 *   isWaiting: the ticket's job is waiting, but not for this worker
 */
export function claim (room, given) {
  const worker = noteWorker(room, given)
  const { id, token } = Object(given.ticket)
  const ticket = Number.isSafeInteger(id) && Number.isSafeInteger(token) ? { id, token } : undefined
  if (given.wants !== true) return { job: null, isWaiting: false }
  expire(room)
  const now = room.now()
  const row = keep(() =>
    room.store.submissions.claim({ worker: worker.name, now, without: worker.unfit, ticket }))
  if (row === null) {
    const { state, token: last } = room.submissions.get(id) ?? {}
    return { job: null, isWaiting: state === 'waiting' && last === token }
  }
  const { files, ...rest } = row
  noted(room, rest)
  return { job: { id: row.id, token: row.token, lesson: row.lesson, files: JSON.parse(files) }, isWaiting: false }
}

/** @param {RoomContext} room @param {any} given */
function noteWorker (room, { worker, machine, fitness, unfit }) {
  const text = (/** @type {unknown} */ value) => typeof value === 'string' ? cleanLine(value).slice(0, 200) : ''
  const name = text(worker)
  if (name === '') throw refuse(400, 'A worker needs a name.')
  const known = room.ids.filter((id) => Array.isArray(unfit) && unfit.includes(id))
  const noted = { name, machine: text(machine), fitness: text(fitness), unfit: known, seenAt: room.now() }
  room.workers.set(name, noted)
  room.onChange()
  return noted
}

/** @param {RoomContext} room @param {any} given id, token @returns {boolean} is it still the worker's? */
export function renew (room, given) {
  const row = keep(() => room.store.submissions.renew(heldOf(room, given)))
  const worker = row === null ? undefined : room.workers.get(row.worker ?? '')
  if (worker !== undefined) worker.seenAt = room.now()
  return row !== null
}

/**
 * @param {RoomContext} room
 * @param {any} given id, token, and the result
 * @returns {boolean} false: the job was given to another worker, or is gone; what this one found doesn't count
 */
export function finish (room, given) {
  const held = heldOf(room, given)
  const lesson = room.submissions.get(held.id)?.lesson
  if (lesson === undefined) return false
  const result = readResult(given.result, lesson)
  if (typeof result === 'string') throw refuse(400, result)
  // A failure to grade isn't a result: the learner isn't to blame.
  if (result.record.verdict === 'error') {
    return failed(room, { ...held, problem: cleanLine(given.result.record.reason ?? 'It couldn’t be graded.') })
  }
  const row = keep(() => room.store.submissions.finish({ ...held, result: JSON.stringify(result) }))
  if (row !== null) noted(room, row)
  return row !== null
}

/** @param {RoomContext} room @param {any} given id, token, problem @returns {boolean} */
export function fail (room, given) {
  const problem = typeof given.problem === 'string' ? cleanLine(given.problem).slice(0, 500) : ''
  return failed(room, { ...heldOf(room, given), problem: problem || 'The worker didn’t say why.' })
}

/** @param {RoomContext} room @param {Parameters<RoomContext['store']['submissions']['fail']>[0]} held */
function failed (room, held) {
  const row = keep(() => room.store.submissions.fail(held))
  if (row !== null) queued(room, row)
  return row !== null
}

/** @param {RoomContext} room @param {any} given id, token @returns {boolean} */
export function release (room, given) {
  const row = keep(() => room.store.submissions.release(heldOf(room, given)))
  if (row !== null) queued(room, row)
  return row !== null
}

/** Sends all waiting jobs to the external queue: it may have lost some. @param {RoomContext} room */
export function reconcile (room) {
  expire(room)
  const waiting = [...room.submissions.values()].filter(({ state }) => state === 'waiting')
  if (waiting.length > 0) room.announce(waiting)
}

/** Takes back what silent workers hold. @param {RoomContext} room */
function expire (room) {
  for (const row of keep(() => room.store.submissions.expire(room.now()))) queued(room, row)
}

/** @param {RoomContext} room @param {any} given @returns {{ id: number, token: number, now: number }} */
function heldOf (room, { id, token }) {
  if (!Number.isSafeInteger(id) || !Number.isSafeInteger(token)) throw refuse(400, 'Say which job it is.')
  return { id, token, now: room.now() }
}

/**
 * Queues it for another grading; the old result stays until then.
 *
 * @param {RoomContext} room
 * @param {any} given id of one, or lesson, or all
 * @returns {number} how many
 */
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
 * Its result doesn't count any more, or counts again.
 *
 * @param {RoomContext} room
 * @param {number} id
 * @param {any} given evidence: a sentence; null: not a cheat
 * @returns {Submission}
 */
export function markCheat (room, id, { evidence }) {
  const said = typeof evidence === 'string' ? cleanLine(evidence).slice(0, 500) : ''
  if (evidence !== null && said === '') throw refuse(400, 'Say what shows that it’s a cheat.')
  const cheat = evidence === null ? null : JSON.stringify({ at: room.time(), evidence: said })
  const row = keep(() => room.store.logged(
    room.audit('instructor', cheat === null ? 'no cheat' : 'cheat', id),
    () => room.store.submissions.mark(id, cheat)))
  if (row === null) throw refuse(404, 'There’s no result of that submission.')
  return noted(room, row)
}

/**
 * Everything about one: for the instructor.
 *
 * @param {RoomContext} room
 * @param {number} id
 */
export function showSubmission (room, id) {
  const found = wholeSubmission(room.store, id)
  if (found === null) throw refuse(404, 'There’s no such submission in this room.')
  return found
}

/** @param {RoomContext} room @param {Row} row @returns {Submission} */
function noted (room, row) {
  const submission = submissionOf(row, room.lessons)
  room.submissions.set(row.id, submission)
  room.onChange()
  return submission
}

/** Announces the submission if it's waiting again. @param {RoomContext} room @param {Row} row */
function queued (room, row) {
  const submission = noted(room, row)
  if (row.state === 'waiting') room.announce([row])
  return submission
}
