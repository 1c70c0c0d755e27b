import { refuse } from '../http/index.js'
import { keep } from './keep.js'
import { emptySeats, uniquelyNamed } from './seats.js'

/**
 * Removes many bogus seats at once; for a while they can come back.
 *
 * @import { LiveSeat, RoomContext, Sweep } from './context.js'
 */

const undoMs = 60_000

/**
 * Removes all seats that joined after a moment and haven't reported anything.
 *
 * @param {RoomContext} room
 * @param {any} given after: ISO 8601
 * @returns {number} how many
 */
export function sweep (room, given) {
  const after = Date.parse(typeof given.after === 'string' ? given.after : '')
  if (Number.isNaN(after)) throw refuse(400, 'Say after which moment, as in {"after":"2026-03-01T09:15:00.000Z"}.')
  const submitters = new Set([...room.submissions.values()].map(({ seat }) => seat))
  const seats = room.present().filter(({ id, joinedAt, lessons }) =>
    lessons.size === 0 && !submitters.has(id) && Date.parse(joinedAt) > after)
  if (seats.length === 0) return 0
  emptySeats(room, seats, 'remove seats')
  room.swept = { seats, until: room.now() + undoMs }
  room.onChange()
  return seats.length
}

/** @param {RoomContext} room @returns {number} how many came back */
export function undoSweep (room) {
  const swept = lastSweep(room)
  if (swept === null) throw refuse(409, 'There’s nothing to undo: a removal can be undone for a minute.')
  /** @type {LiveSeat[]} */
  const back = []
  for (const seat of swept.seats) back.push(uniquelyNamed(seat, [...room.present(), ...back]))
  keep(() => room.store.saveSeats(back, room.audit('instructor', 'undo', back.map(({ id }) => id).join(' '))))
  for (const seat of back) room.seats.set(seat.id, seat)
  room.swept = null
  room.onChange()
  return back.length
}

/** That can still be undone; later, its names are forgotten. @param {RoomContext} room @returns {Sweep | null} */
export function lastSweep (room) {
  if (room.swept !== null && room.now() > room.swept.until) room.swept = null
  return room.swept
}
