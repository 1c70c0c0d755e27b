import { randomBytes } from 'node:crypto'
import { refuse } from '../http/index.js'
import { seatKey } from '../seat-key.js'
import { readName, uniqueName } from './derive/names.js'
import { keep } from './keep.js'

/**
 * Who has a seat in the room, from joining to leaving.
 *
 * @import { LiveSeat, RoomContext } from './context.js'
 * @import { StoredSeat } from './store/store.js'
 */

const mostSeats = 1000

/**
 * @param {RoomContext} room
 * @param {string} token
 * @returns {LiveSeat}
 * @throws {import('../errors.js').WorkshopError} with a status: it has no seat here, or no longer
 */
export function seatOf (room, token) {
  const seat = seatWithKey(room, seatKey(token))
  if (seat === undefined) {
    throw refuse(401, 'This room does not know your seat: run `npm run leave`, then join again.')
  }
  if (seat.removedAt !== null) {
    throw refuse(410, 'The instructor has removed your seat: `npm run leave` makes your workshop forget it.')
  }
  return seat
}

/** Even one that was removed. @param {RoomContext} room @param {string} key of a token */
export function seatWithKey (room, key) {
  return [...room.seats.values()].find(({ tokenHash }) => tokenHash === key)
}

/** @param {RoomContext} room @param {any} given name, nickname, board @returns {{ seat: LiveSeat, token: string }} */
export function join (room, given) {
  if (room.settings.isLobbyLocked) {
    throw refuse(403, 'The instructor has closed the door: ask them to open it for you.')
  }
  const token = randomBytes(16).toString('base64url')
  return { seat: addSeat(room, seatKey(token), given, 'join'), token }
}

/**
 * @param {RoomContext} room
 * @param {string} tokenHash
 * @param {any} given name, nickname, board
 * @param {string} what for the audit
 * @returns {LiveSeat}
 */
export function addSeat (room, tokenHash, given, what) {
  const { store, present, seats, time, onChange } = room
  if (present().length >= mostSeats) throw refuse(409, `The room is full: it has ${mostSeats} seats.`)
  const named = {
    name: nameFor(given?.name, present()),
    nickname: nicknameFor(given?.nickname, present()),
    isOnBoard: given?.board === true
  }
  const seat = { tokenHash, ...named, joinedAt: time(), lastSeenAt: time(), removedAt: null }
  const id = keep(() => store.addSeat(seat, { at: time(), what, about: '' }))
  const live = { ...seat, id, lessons: new Map() }
  seats.set(id, live)
  onChange()
  return live
}

/**
 * @param {RoomContext} room
 * @param {LiveSeat} seat
 * @param {any} given name, nickname, board: each where it changes
 * @param {string} who for the audit
 * @returns {LiveSeat}
 */
export function changeSeat (room, seat, given, who) {
  const others = room.present().filter((other) => other !== seat)
  const changed = {
    ...seat,
    ...given.name === undefined ? {} : { name: nameFor(given.name, others) },
    ...given.nickname === undefined ? {} : { nickname: nicknameFor(given.nickname, others) },
    ...given.board === undefined ? {} : { isOnBoard: given.board === true }
  }
  keep(() => room.store.saveSeat(changed, room.audit(who, 'change seat', seat.id)))
  room.seats.set(seat.id, changed)
  room.onChange()
  return changed
}

/** @param {RoomContext} room @param {number} id @param {any} given name */
export function renameSeat (room, id, given) {
  return changeSeat(room, presentSeat(room, id), given ?? {}, 'instructor')
}

/** Its learner goes, and with them all that is known of them. @param {RoomContext} room @param {LiveSeat} seat */
export function leave (room, seat) {
  keep(() => room.store.deleteSeat(seat.id, room.audit(`seat ${seat.id}`, 'leave')))
  room.seats.delete(seat.id)
  room.onChange()
}

/** All that is left says why its learner is no longer let in. @param {RoomContext} room @param {number} id */
export function removeSeat (room, id) {
  const emptied = { name: '', nickname: null, isOnBoard: false, removedAt: room.time(), lessons: new Map() }
  const seat = { ...presentSeat(room, id), ...emptied }
  keep(() => room.store.emptySeat(seat, room.audit('instructor', 'remove seat', id)))
  room.seats.set(id, seat)
  room.onChange()
}

/** @param {RoomContext} room @param {number} id @returns {LiveSeat} */
function presentSeat (room, id) {
  const seat = room.seats.get(id)
  if (seat === undefined || seat.removedAt !== null) throw refuse(404, 'There is no such seat in this room.')
  return seat
}

/** @param {unknown} given @param {readonly StoredSeat[]} others @returns {string} */
function nameFor (given, others) {
  return uniqueName(named(given, 'name'), others.map(({ name }) => name))
}

/** @param {unknown} given @param {readonly StoredSeat[]} others @returns {string | null} */
function nicknameFor (given, others) {
  if (given === undefined || given === null || given === '') return null
  return uniqueName(named(given, 'nickname'), others.map(({ nickname }) => nickname))
}

/** @param {unknown} given @param {string} what @returns {string} */
function named (given, what) {
  const name = readName(given)
  if (name === null) throw refuse(400, `A ${what} needs a letter or a digit in it.`)
  return name
}
