import { csvText } from '../report/index.js'
import { formatWhen } from '../report/browser.js'
import { standingOf } from './derive/attempts.js'
import { knownOf } from './derive/facts.js'

/**
 * An instructor's files about a class. Pure.
 *
 * @import { Attempt } from './derive/attempts.js'
 * @import { RoomState } from './context.js'
 * @import { Store } from './store/store.js'
 */

const columns = [
  'seat', 'name', 'nickname', 'lesson', 'number', 'title', 'state', 'attempts', 'ratio', 'target', 'tier', 'reason',
  'last', 'passed', 'source'
]

/** Who made the measurement. */
const sources = {
  reported: 'the learner’s machine',
  imported: 'a file of the learner’s',
  verified: 'the class’s machine'
}

/** @param {RoomState} state @returns {string} CSV (RFC 4180), a line per seat and lesson, begun or not */
export function csvOf ({ seats, lessons }) {
  const rows = seats.flatMap((seat) => lessons.map(({ id, number, title }) =>
    [seat.id, seat.name, seat.nickname, id, number, title, ...standingCells(seat.lessons.get(id))]))
  return csvText([columns, ...rows])
}

/** @param {readonly Attempt[]} [attempts] */
function standingCells (attempts) {
  if (attempts === undefined) return ['not begun', 0, ...Array(7).fill(null)]
  const { state, attempts: count, ratio, target, tier, reason, lastAt, passedAt, source } = standingOf(attempts)
  const figures = [ratio, target].map((one) => one === null ? null : Math.round(100 * one) / 100)
  return [state, count, ...figures, tier, reason, isoOf(lastAt), isoOf(passedAt), sources[source]]
}

/** @param {number} now ms since 1970 @param {'csv' | 'json'} kind @returns {string} `class-2026-01-31.csv` */
export function exportName (now, kind) {
  const [date] = formatWhen(now).split(' ')
  return `class-${date}.${kind}`
}

/**
 * In pieces: a room may have more than a string can hold.
 *
 * @param {RoomState} state
 * @param {Pick<Store, 'readReportsOf' | 'readPredictions' | 'readAudit'>} store
 * @returns {Generator<string>} JSON, everything but secrets: seats, reports with their records, the audit log
 */
export function * jsonOf ({ seats, settings, lessons }, store) {
  const { createdAt, messages, isLobbyLocked, locked, revealed, isSimulated = false } = settings
  const shown = lessons.map(({ checks, gates, ...lesson }) => lesson)
  yield JSON.stringify({
    format: 'make-it-fast-room',
    version: 1,
    room: { createdAt, messages, isLobbyLocked, locked, revealed, isSimulated, lessons: shown },
    seats: seats.map(({ tokenHash, lessons: _, kept, allowance, ...seat }) => seat),
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
  yield before === ',' ? ']}' : `${before}]}`
}

/** @param {number | null} at ms since 1970 */
function isoOf (at) {
  return at === null ? null : new Date(at).toISOString()
}
