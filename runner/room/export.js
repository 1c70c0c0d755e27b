import { standingOf } from './derive/attempts.js'
import { knownOf } from './derive/facts.js'

/**
 * What an instructor keeps of a class. Pure.
 *
 * @import { RoomState } from './context.js'
 * @import { Store } from './store/store.js'
 */

const columns = ['seat', 'name', 'lesson', 'number', 'state', 'attempts', 'ratio', 'tier', 'reason', 'last', 'passed']

/** @param {RoomState} state @returns {string} CSV (RFC 4180), a line for each seat and lesson that it has tried */
export function csvOf ({ seats, lessons }) {
  const rows = seats.flatMap((seat) => lessons.flatMap(({ id, number }) => {
    const attempts = seat.lessons.get(id)
    if (attempts === undefined) return []
    const { state, attempts: count, ratio, tier, reason, lastAt, passedAt } = standingOf(attempts)
    return [[seat.id, seat.name, id, number, state, count, ratio, tier, reason, isoOf(lastAt), isoOf(passedAt)]]
  }))
  return [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/**
 * @param {RoomState} state
 * @param {Pick<Store, 'readReports' | 'readAudit'>} store
 * @returns {object} everything but secrets: seats, reports with their records, what was done in the room
 */
export function jsonOf ({ seats, settings, lessons }, store) {
  const { createdAt, message, isLobbyLocked, locked, revealed, isSimulated = false } = settings
  return {
    format: 'make-it-fast-room',
    version: 1,
    room: { createdAt, message, isLobbyLocked, locked, revealed, isSimulated, lessons },
    seats: seats.map(({ tokenHash, lessons: _, ...seat }) => seat),
    reports: store.readReports().map((report) => ({ ...knownOf(report), record: JSON.parse(report.record) })),
    audit: store.readAudit()
  }
}

/** @param {number | null} at ms since 1970 */
function isoOf (at) {
  return at === null ? null : new Date(at).toISOString()
}

/** A text that begins like a formula is quoted: a spreadsheet would run it. @param {string | number | null} value */
function cell (value) {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
