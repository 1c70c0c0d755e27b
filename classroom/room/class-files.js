import { csvText } from '../../runner/report/index.js'
import { knownOf, standingOf, verifiedOf } from './attempts.js'
import { showSubmission } from './submissions.js'

/**
 * An instructor's files about a class. Pure.
 *
 * @import { Attempt } from './attempts.js'
 * @import { Room } from './room-state.js'
 */

const columns = [
  'seat', 'name', 'nickname', 'lesson', 'number', 'title', 'state', 'attempts', 'ratio', 'target', 'tier', 'reason',
  'last', 'passed', 'source', 'verified', 'verified ratio', 'verified tier', 'graded', 'cheat'
]

/** Who made the measurement. */
const sources = {
  reported: 'the learner’s machine',
  imported: 'a file of the learner’s',
  verified: 'the class’s machine'
}

/** @param {Room} room @returns {string} CSV (RFC 4180), a line per seat and lesson, begun or not */
export function csvOf ({ seats, lessons, submissions }) {
  const verified = verifiedOf(submissions)
  const cheats = new Map([...submissions.values()].flatMap(({ seat, lesson, cheat }) =>
    cheat === null ? [] : [[`${seat} ${lesson}`, cheat.evidence]]))
  const rows = seats().flatMap((seat) => lessons.map(({ id, number, title }) => [
    seat.id, seat.name, seat.nickname, id, number, title, ...standingCells(seat.lessons.get(id)),
    ...verifiedCells(verified.get(seat.id)?.get(id)), cheats.get(`${seat.id} ${id}`) ?? null
  ]))
  return csvText([columns, ...rows])
}

/** @param {readonly Attempt[]} [attempts] */
function standingCells (attempts) {
  if (attempts === undefined) return ['not begun', 0, ...Array(7).fill(null)]
  const { state, attempts: count, ratio, target, tier, reason, lastAt, passedAt, source } = standingOf(attempts)
  return [state, count, short(ratio), short(target), tier, reason, isoOf(lastAt), isoOf(passedAt), sources[source]]
}

/** What the class measured itself. @param {readonly Attempt[]} [attempts] */
function verifiedCells (attempts) {
  if (attempts === undefined) return Array(4).fill(null)
  const { state, ratio, tier, lastAt } = standingOf(attempts)
  return [state, short(ratio), tier, isoOf(lastAt)]
}

/** @param {number | null} figure */
function short (figure) {
  return figure === null ? null : Math.round(100 * figure) / 100
}

/**
 * In pieces: a room may have more than a string can hold.
 *
 * @param {Room} room
 * @returns {Generator<string>} JSON, everything but secrets: seats, reports with their records, submissions
 *   with files and results, the audit log
 */
export function * jsonOf (room) {
  const { store, lessons, submissions } = room
  const { createdAt, messages, isLobbyLocked, locked, revealed } = room.settings()
  const seats = room.seats()
  const shown = lessons.map(({ checks, gates, ...lesson }) => lesson)
  yield JSON.stringify({
    format: 'make-it-fast-room',
    version: 1,
    room: { createdAt, messages, isLobbyLocked, locked, revealed, lessons: shown },
    seats: seats.map(({ tokenHash, lessons: _, kept, allowances, ...seat }) => seat),
    predictions: store.readPredictions(),
    audit: store.readAudit()
  }).slice(0, -1)
  let before = ',"reports":['
  for (const { id } of seats) {
    for (const report of store.readReportsOf(id)) {
      yield before + JSON.stringify({ ...knownOf(report, lessons), record: JSON.parse(report.record) })
      before = ','
    }
  }
  yield before === ',' ? '],"submissions":[' : `${before}],"submissions":[`
  before = ''
  for (const { id } of submissions.values()) {
    yield `${before}${JSON.stringify(showSubmission(room, id))}`
    before = ','
  }
  yield ']}'
}

/** @param {number | null} at ms since 1970 */
function isoOf (at) {
  return at === null ? null : new Date(at).toISOString()
}
