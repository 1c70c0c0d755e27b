import { cleanLine } from '../clean.js'
import { isGone } from './derive/queue-view.js'
import { readResult, wholeSubmission } from './derive/submission.js'
import { keep } from './keep.js'
import { noted, queued } from './submissions.js'

/**
 * What workers do with submissions, on this machine or others. Every change goes to the store first.
 *
 * @import { Held, Job, Row, Table, Ticket, Work } from '../queue/index.js'
 * @import { RoomContext } from './context.js'
 *
 * @param {RoomContext} room
 * @returns {Work}
 */
export function workIn (room) {
  return {
    noteWorker: (presence) => noteWorker(room, presence),
    workers: () => [...room.workers.values()].filter(({ seenAt }) => !isGone(seenAt, room.now())),
    claim: (given) => claim(room, given),
    held: () => [...room.submissions.values()].flatMap((one) =>
      one.state === 'leased' ? { ...ticketOf(one), files: [] } : []),
    filesOf: (id) => wholeSubmission(room.store, id)?.files ?? [],
    renew: (held) => renew(room, held),
    begin: (held) => begin(room, held),
    settle: (held) => settle(room, held)
  }
}

/**
 * The next job.
 *
 * @param {RoomContext} room
 * @param {{ worker: string, without?: readonly string[] }} given
 * @returns {Job | null}
 */
function claim (room, { worker, without }) {
  expire(room)
  const row = keep(() => room.store.submissions.claim({ worker, now: room.now(), without }))
  if (row === null) return null
  const { files, ...rest } = row
  noted(room, rest)
  return { ...ticketOf(row), files: JSON.parse(files) }
}

/** @param {Pick<Job, 'id' | 'token' | 'queuedAt' | 'lesson'>} row */
function ticketOf ({ id, token, queuedAt, lesson }) {
  return { id, token, queuedAt, lesson }
}

/** @param {RoomContext} room @param {any} presence whatever a worker says of itself */
function noteWorker (room, { worker, machine, fitness, unfit }) {
  const text = (/** @type {unknown} */ value) => typeof value === 'string' ? cleanLine(value).slice(0, 200) : ''
  const name = text(worker)
  const known = room.ids.filter((id) => Array.isArray(unfit) && unfit.includes(id))
  room.workers.set(name, { name, machine: text(machine), fitness: text(fitness), unfit: known, seenAt: room.now() })
  room.onChange()
}

/** @param {RoomContext} room @param {Ticket} given @returns {boolean} is it still the worker's? */
function renew (room, given) {
  const row = keep(() => room.store.submissions.renew(heldOf(room, given)))
  const worker = row === null ? undefined : room.workers.get(row.worker ?? '')
  if (worker !== undefined) worker.seenAt = room.now()
  return row !== null
}

/** @param {RoomContext} room @param {Ticket & { worker: string }} given @returns {boolean} */
function begin (room, given) {
  const worker = cleanLine(given.worker).slice(0, 200)
  const row = keep(() => room.store.submissions.begin({ ...heldOf(room, given), worker }))
  if (row !== null) noted(room, row)
  return row !== null
}

/**
 * @param {RoomContext} room
 * @param {any} given id, token, and the outcome: whatever a worker says
 * @returns {boolean} false: the job was given to another worker, or is gone; what this one found doesn't count
 */
function settle (room, given) {
  const ticket = heldOf(room, given)
  const lesson = room.submissions.get(ticket.id)?.lesson
  if (lesson === undefined) return false
  const row = keep(() => noteOutcome(room.store.submissions, ticket, Object(given.outcome), lesson))
  if (row !== null) queued(room, row)
  return row !== null
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

/** Takes back what silent workers hold. @param {RoomContext} room */
export function expire (room) {
  for (const row of keep(() => room.store.submissions.expire(room.now()))) queued(room, row)
}

/** @param {RoomContext} room @param {Ticket} given @returns {Held} */
function heldOf (room, { id, token }) {
  return { id, token, now: room.now() }
}
