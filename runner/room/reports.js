import { refuse } from '../http/index.js'
import { addAttempt } from './derive/attempts.js'
import { knownOf } from './derive/facts.js'
import { readReport } from './derive/read-report.js'
import { keep } from './keep.js'
import { addSeat, seatWithKey } from './seats.js'

/**
 * How reports come into the room: from a learner's machine, or in a file.
 *
 * @import { LiveSeat, RoomContext } from './context.js'
 * @import { Report } from './store/store.js'
 */

const mostRecordBytes = 64 * 1024
const mostImported = 1000

/**
 * @param {RoomContext} room
 * @param {LiveSeat} seat
 * @param {any} body `{ id, sentAt, record }`
 * @param {Report['source']} source
 * @returns {boolean} is it new?
 * @throws {import('../errors.js').WorkshopError} with a status: why it is not taken
 */
export function addReport (room, seat, body, source) {
  const read = readReport(body, room.ids)
  if (typeof read === 'string') throw refuse(400, read)
  if (Buffer.byteLength(read.record) > mostRecordBytes) {
    throw refuse(413, 'That record is too long: 64 kB are the most.')
  }
  const report = { ...read, seat: seat.id, source, receivedAt: room.time() }
  const isNew = keep(() => room.store.addReport(report))
  seat.lastSeenAt = report.receivedAt
  if (isNew) addAttempt(seat.lessons, knownOf(report))
  room.onChange()
  return isNew
}

/**
 * What a learner has exported, where the network keeps them apart.
 *
 * @param {RoomContext} room
 * @param {any} file
 * @returns {{ seat: number, added: number, known: number, refused: string[] }} refused: one sentence each
 */
export function importFile (room, file) {
  if (!isExport(file)) {
    throw refuse(400, 'This file was not written by `npm run export`: ask the learner to export their results again.')
  }
  const known = seatWithKey(room, file.key)
  if (known?.removedAt) throw refuse(410, 'That seat was removed: its file is not taken back.')
  const seat = known ?? addSeat(room, file.key, file, 'import')
  const result = { seat: seat.id, added: 0, known: 0, refused: /** @type {string[]} */ ([]) }
  for (const { id, record } of file.reports) {
    try {
      // It does not matter when it was written: a file travels for as long as it likes.
      const isNew = addReport(room, seat, { id, record, sentAt: record?.startedAt }, 'imported')
      result[isNew ? 'added' : 'known']++
    } catch (error) {
      if (error.status === undefined || error.status >= 500) throw error
      result.refused.push(error.message)
    }
  }
  return result
}

/** @param {any} file */
function isExport (file) {
  return file?.format === 'make-it-fast-export' && file.version === 1 && Array.isArray(file.reports) &&
    typeof file.key === 'string' && /^[0-9a-f]{64}$/.test(file.key) && file.reports.length <= mostImported
}
