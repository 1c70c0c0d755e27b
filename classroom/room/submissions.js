import { refuse } from '../../runner/http/index.js'
import { sentRecord, sentRecordProblem } from '../../runner/judge/index.js'
import { submissionHash, submissionProblem } from '../../runner/shared/seat-and-room.js'
import { cleanLine } from '../../runner/shared/text.js'
import { submissionOf } from './attempts.js'
import { keep } from './database.js'

/**
 * Submissions, from a learner's request to a worker's outcome, and the queue as people see it.
 *
 * @import { Held, Job, Row, Table, Work } from '../queue/index.js'
 * @import { SubmittedFile } from '../../runner/shared/seat-and-room.js'
 * @import { Result, Submission } from './attempts.js'
 * @import { LiveSeat, Room, Worker } from './room-state.js'
 */

/** Of one seat. The more tries, the likelier that chance lets one pass that is near its target. */
const mostKept = { submissions: 100, ofLesson: 20, bytes: 2 * 1024 * 1024, waiting: 3 }

/**
 * @param {Room} room
 * @param {LiveSeat} seat
 * @param {any} body lesson and files
 * @returns {{ isNew: boolean, said: string }} not new: the same files were submitted before; said: what has come of it
 */
export function submit (room, seat, body) {
  const { lesson, files } = body
  if (!room.ids.includes(lesson)) throw refuse(400, 'This room doesn’t have that lesson.')
  const problem = submissionProblem(files)
  if (problem !== null) throw refuse(400, problem)
  const [hash, table] = [submissionHash(files), room.store.submissions]
  const before = table.find({ seat: seat.id, lesson, hash })
  if (before !== null) {
    return { isNew: false, said: `You’ve submitted exactly this before. ${outcomeOf(room, before.id)}` }
  }
  const text = JSON.stringify(files.map((/** @type {SubmittedFile} */ { path, text }) => ({ path, text })))
  refuseTooMany(table.keptOf({ seat: seat.id, lesson }), Buffer.byteLength(text))
  const { id } = change(room, () => table.add({ seat: seat.id, lesson, hash, files: text, now: room.now() }))
  return { isNew: true, said: `Submitted. ${outcomeOf(room, id)}` }
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

/** What has come of a submission, as its learner may know it. @param {Room} room @param {number} id */
function outcomeOf (room, id) {
  const { state, problem, graded, cheat } = /** @type {Submission} */ (room.submissions.get(id))
  if (state === 'waiting') {
    const { ahead = 0, expectedMs = null } = placesIn(room).find((one) => one.id === id) ?? {}
    const minutes = expectedMs === null ? '' : `, about ${Math.ceil(expectedMs / 60_000)} min`
    return `${ahead === 0 ? 'It’s the next to be graded' : `${ahead} are graded before it`}${minutes}. ` +
      'Submit the same files again later to see the result.'
  }
  if (state === 'leased') return 'It’s being graded now.'
  // With a slash, it may name a file of the grader's machine.
  const why = /[\\/]/.test(problem ?? '/')
    ? 'the instructor’s page says why.'
    : `${problem} The instructor sees that, too.`
  if (state === 'stuck') return `It couldn’t be graded: ${why}`
  if (cheat !== null) return `The instructor has marked its result as a cheat: ${cheat.evidence}`
  const { verdict, ratio = null } = graded?.report ?? {}
  const figure = ratio === null ? '' : `, ${ratio.toFixed(2)}×`
  return `${graded?.isVerified ? 'Verified' : 'Measured without a sandbox, so not verified'}: ${verdict}${figure}.`
}

/** Old results stay until there are new ones. @param {Room} room @param {any} given id of one, or lesson, or all */
export function gradeAgain (room, { id, lesson, all }) {
  const chosen = [...room.submissions.values()].filter((one) =>
    (all === true || one.id === id || one.lesson === lesson) && (one.state === 'done' || one.state === 'stuck'))
  if (chosen.length === 0) throw refuse(404, 'No submission of these has been graded yet.')
  const about = all === true ? 'all' : String(lesson ?? id)
  return change(room, () => room.store.logged(room.audit('instructor', 'grade again', about), () =>
    chosen.flatMap((one) => room.store.submissions.again({ id: one.id, now: room.now() }) ?? []))).length
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
  const row = change(room, () => room.store.logged(audit, () => room.store.submissions.mark({ id, cheat })))
  if (row === null) throw refuse(404, 'There’s no result of that submission.')
}

/** With its files and the evidence, for the instructor. @param {Room} room @param {number} id */
export function showSubmission (room, id) {
  const found = room.store.submissions.whole({ id })
  if (found === null) throw refuse(404, 'There’s no such submission in this room.')
  const { files, result, cheat, ...row } = found
  return { ...row, files: JSON.parse(files), result: JSON.parse(result ?? 'null'), cheat: JSON.parse(cheat ?? 'null') }
}

/**
 * Every change goes to the table first, then into what is kept of its rows in memory.
 *
 * @template {Row | null | Row[]} Changed
 * @param {Room} room
 * @param {() => Changed} act
 * @returns {Changed}
 */
function change (room, act) {
  const changed = keep(act)
  const rows = [changed].flat().filter((row) => row !== null)
  for (const row of rows) room.submissions.set(row.id, submissionOf(row, room.lessons))
  if (rows.length > 0) room.onChange()
  if (rows.some(({ state }) => state === 'waiting')) room.onWaiting()
  return changed
}

/** The same for workers, on this machine or others. @param {Room} room @returns {Work} */
export function workIn (room) {
  const table = room.store.submissions
  const heldOf = (/** @type {{ id: number, token: number }} */ { id, token }) => ({ id, token, now: room.now() })
  return {
    noteWorker: (presence) => noteWorker(room, presence),
    workers: () => [...room.workers.values()].filter(({ seenAt }) => !isGone(seenAt, room.now())),
    claim: ({ worker, without }) => {
      expire(room)
      const row = change(room, () => table.claim({ worker, now: room.now(), without }))
      return row && { ...ticketOf(row), files: JSON.parse(row.files) }
    },
    held: () => [...room.submissions.values()].flatMap((one) =>
      one.state === 'leased' ? { ...ticketOf(one), files: [] } : []),
    filesOf: (id) => JSON.parse(table.whole({ id })?.files ?? '[]'),
    renew: (given) => {
      const row = keep(() => table.renew(heldOf(given)))
      const worker = room.workers.get(row?.worker ?? '')
      if (worker !== undefined) worker.seenAt = room.now()
      return row !== null
    },
    begin: (given) =>
      change(room, () => table.begin({ ...heldOf(given), worker: lineOf(given.worker, 200) })) !== null,
    settle: (given) => {
      const lesson = room.submissions.get(given.id)?.lesson
      return lesson !== undefined &&
        change(room, () => noteOutcome(table, heldOf(given), Object(given.outcome), lesson)) !== null
    }
  }
}

/** @param {unknown} said by a worker @param {number} most characters @returns {string} */
function lineOf (said, most) {
  return typeof said === 'string' ? cleanLine(said).slice(0, most) : ''
}

/** @param {Pick<Job, 'id' | 'token' | 'queuedAt' | 'lesson'>} row */
function ticketOf ({ id, token, queuedAt, lesson }) {
  return { id, token, queuedAt, lesson }
}

/** @param {Room} room @param {any} presence as a worker describes itself */
function noteWorker (room, { worker, machine, fitness, unfit }) {
  const [name, ...about] = [worker, machine, fitness].map((said) => lineOf(said, 200))
  const known = room.ids.filter((id) => Array.isArray(unfit) && unfit.includes(id))
  room.workers.set(name, { name, machine: about[0], fitness: about[1], unfit: known, seenAt: room.now() })
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
function noteOutcome (table, ticket, outcome, lesson) {
  const [problem, failure] = [outcome.problem, outcome.failure].map((said) => lineOf(said, 500))
  if (outcome.isGivenBack === true) return table.release(ticket)
  if (problem !== '') return table.fail({ ...ticket, problem })
  if (outcome.result === undefined) return table.lose({ ...ticket, problem: failure || 'Its worker didn’t say why.' })
  const read = readResult(outcome.result, lesson)
  if (typeof read === 'string') return table.lose({ ...ticket, problem: read })
  // A failure to grade isn't a result: the learner isn't to blame.
  if (read.record.verdict === 'error') {
    return table.fail({ ...ticket, problem: lineOf(outcome.result.record.reason, 500) || 'It couldn’t be graded.' })
  }
  return table.finish({ ...ticket, result: JSON.stringify(read) })
}

/** Takes back what silent workers hold. @param {Room} room */
export function expire (room) {
  change(room, () => room.store.submissions.expire({ now: room.now() }))
}

const mostEvidenceBytes = 32 * 1024
const longestText = 300

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
  const isShort = Buffer.byteLength(JSON.stringify(given.record)) <= mostEvidenceBytes
  return {
    record,
    evidence: isShort ? given.record : null,
    isVerified: given.isVerified === true,
    sandbox: lineOf(given.sandbox, longestText),
    fitness: lineOf(given.fitness, longestText)
  }
}

/**
 * The queue as people see it: places, expected times, and the workers.
 *
 * @typedef {ReturnType<typeof placesOf>[number]} Place
 */

/** A worker that says nothing for so long. */
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
function placesOf (all, workers, now) {
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

/** @param {Room} room */
function placesIn ({ submissions, workers, now }) {
  return placesOf([...submissions.values()], [...workers.values()], now())
}

/** @param {Room} room */
export function queueView (room) {
  const { workers, isCut } = room
  const places = placesIn(room)
  const count = (/** @type {Place['state']} */ wanted) => places.filter(({ state }) => state === wanted).length
  return {
    waiting: count('waiting'),
    stuck: count('stuck'),
    isCut,
    places: places.slice(0, mostShown),
    workers: [...workers.values()].map(({ seenAt, ...worker }) => ({
      ...worker,
      job: places.find(({ state, worker: name }) => state === 'leased' && name === worker.name)?.id ?? null,
      isGone: isGone(seenAt, room.now())
    }))
  }
}

/** @param {number} seenAt @param {number} now */
function isGone (seenAt, now) {
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
