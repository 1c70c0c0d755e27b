import { setTimeout as sleep } from 'node:timers/promises'
import { refuse } from '../../runner/http/index.js'
import { sentRecord, sentRecordProblem } from '../../runner/judge/index.js'
import { isObject } from '../../runner/shared/rules.js'
import { addAttempt, knownOf } from './attempts.js'
import { keep } from './database.js'
import { count } from './room-state.js'
import { addSeat, known, seatWithKey } from './seats.js'

/**
 * How reports come into the room: from a learner's machine, or in a file.
 *
 * @import { WorkshopError } from '../../runner/shared/errors.js'
 * @import { Kept, LiveSeat, Room } from './room-state.js'
 * @import { Report } from './store.js'
 */

/** Our lessons' reports have 2 to 10 kB, and a day brings a few dozen per seat. */
const mostRecordBytes = 32 * 1024
const mostKept = { reports: 1000, bytes: 8 * 1024 * 1024 }
const mostImported = 1000
/** At most this often, since each commit waits for the disk. */
const commitEveryMs = 10

/**
 * @param {Room} room
 * @param {LiveSeat} seat
 * @param {any} body `{ id, sentAt, record }`
 * @param {Report['source']} source
 * @returns {Report}
 * @throws {WorkshopError} with a status: why it's refused
 */
export function readOne (room, seat, body, source) {
  const read = readReport(body, room.ids)
  if (typeof read === 'string') throw refuse(400, read)
  if (Buffer.byteLength(read.record) > mostRecordBytes) {
    throw refuse(413, `That record is too long: ${mostRecordBytes / 1024} kB is the limit.`)
  }
  return { ...read, seat: seat.id, source, receivedAt: room.time() }
}

/**
 * The first is committed at once; those that follow soon after it, together.
 *
 * @param {Room} room
 * @returns {(report: Report) => Promise<boolean>} is it new? It rejects with a status: why it's refused
 */
export function createInbox (room) {
  /** @type {Report[]} */
  let waiting = []
  /** The outcomes of what waits. @type {Promise<(boolean | WorkshopError)[]> | null} */
  let next = null
  let committedAt = -Infinity
  const flush = async () => {
    await sleep(Math.max(0, committedAt + commitEveryMs - performance.now()))
    const batch = waiting
    waiting = []
    next = null
    committedAt = performance.now()
    return takeReports(room, batch)
  }
  return async (report) => {
    const at = waiting.push(report) - 1
    const outcome = (await (next ??= flush()))[at]
    if (typeof outcome !== 'boolean') throw outcome
    return outcome
  }
}

/**
 * In one commit.
 *
 * @param {Room} room
 * @param {readonly Report[]} reports
 * @returns {(boolean | WorkshopError)[]} is it new, or why it's refused. It throws with a status if none could be kept
 */
function takeReports (room, reports) {
  /** @type {Map<number, Kept>} */
  const sums = new Map()
  const refusals = reports.map((report) => refusalOf(room, report, sums))
  const taken = reports.filter((_, at) => refusals[at] === null)
  const areNew = keep(() => room.store.addReports(taken))
  for (const [at, report] of taken.entries()) {
    const { kept, lessons } = seatIn(room, report)
    if (!areNew[at]) continue
    count(kept, report)
    addAttempt(lessons, knownOf(report, room.lessons))
  }
  room.onChange()
  const next = areNew.values()
  return refusals.map((refusal) => refusal ?? next.next().value === true)
}

/**
 * @param {Room} room
 * @param {Report} report
 * @param {Map<number, Kept>} sums changed: what is kept of each seat, including earlier reports of this batch
 * @returns {WorkshopError | null}
 */
function refusalOf (room, report, sums) {
  try {
    const sum = { ...sums.get(report.seat) ?? seatIn(room, report).kept }
    count(sum, report)
    if (sum.reports > mostKept.reports || sum.bytes > mostKept.bytes) {
      throw refuse(413, `A room keeps ${mostKept.reports} reports and 8 MB of each seat: this one wasn’t kept.`)
    }
    sums.set(report.seat, sum)
    return null
  } catch (error) {
    return error
  }
}

/** @param {Room} room @param {Report} report @throws {WorkshopError} its seat has gone meanwhile */
function seatIn (room, { seat }) {
  return known(room.live(room.store.readSeat(seat)))
}

/**
 * A learner's exported file, for networks that keep machines apart.
 *
 * @param {Room} room
 * @param {any} file
 * @returns {{ seat: number, name: string, added: number, known: number, refused: string[] }} refused: one sentence each
 */
export function importFile (room, file) {
  if (!isExport(file)) {
    throw refuse(400, 'This file was not written by `npm run export`: ask the learner to export their results again.')
  }
  const before = seatWithKey(room, file.key)
  if (before?.removedAt) throw refuse(410, 'That seat was removed, so its file can’t be imported.')
  const seat = before ?? addSeat(room, file.key, file, 'import')
  /** @type {(Report | WorkshopError)[]} */
  const read = file.reports.map((/** @type {any} */ { id, record }) => {
    try {
      // Its age doesn't matter: a file may travel for any length of time.
      return readOne(room, seat, { id, record, sentAt: record?.startedAt }, 'imported')
    } catch (error) {
      return error
    }
  })
  const outcomes = takeReports(room, read.flatMap((one) => one instanceof Error ? [] : one))
  const refused = [...read, ...outcomes].flatMap((one) => one instanceof Error ? one.message : [])
  const count = (/** @type {boolean} */ isNew) => outcomes.filter((outcome) => outcome === isNew).length
  return { seat: seat.id, name: seat.name, added: count(true), known: count(false), refused }
}

/** @param {any} file */
function isExport (file) {
  return file?.format === 'make-it-fast-export' && file.version === 1 &&
    Array.isArray(file.reports) && file.reports.length <= mostImported && file.reports.every(isObject) &&
    typeof file.key === 'string' && /^[0-9a-f]{64}$/.test(file.key)
}

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
