import { randomBytes } from 'node:crypto'
import { refuse } from '../http/index.js'
import { seatKey } from '../seat-key.js'
import { once } from './attempts.js'
import { keep, nothing } from './context.js'
import { folded, readName, uniqueName } from './names.js'
import { withoutMessagesTo } from './settings.js'

/**
 * Seats in the room, from joining to leaving.
 *
 * @import { Attempt } from './attempts.js'
 * @import { LiveSeat, RoomContext, Sweep } from './context.js'
 * @import { StoredSeat } from './store.js'
 *
 * @typedef {Pick<Attempt, 'lesson' | 'at' | 'verdict' | 'ratio' | 'target' | 'reason' | 'distance' | 'source'>} Check
 */

/**
 * @param {RoomContext} room
 * @param {string} token
 * @returns {LiveSeat}
 * @throws {import('../errors.js').WorkshopError} with a status: it has no seat here, or no longer
 */
export function seatOf (room, token) {
  return known(seatWithKey(room, seatKey(token)))
}

/** @param {LiveSeat | undefined} seat @returns {LiveSeat} @throws with a status: it has no seat here, or no longer */
export function known (seat) {
  if (seat === undefined) {
    throw refuse(401, 'This room doesn’t know your seat: run `npm run leave`, then join again.')
  }
  if (seat.removedAt !== null) {
    throw refuse(410, 'The instructor has removed your seat: `npm run leave` makes your workshop forget it.')
  }
  return seat
}

/** Even one that was removed. @param {RoomContext} room @param {string} key of a token */
export function seatWithKey (room, key) {
  for (const seat of room.seats.values()) if (seat.tokenHash === key) return seat
}

/**
 * @param {RoomContext} room
 * @param {any} given name, nickname, board, and a token that the learner's machine has made
 * @param {string} address of the request
 * @returns {{ seat: LiveSeat, token: string }}
 */
export function join (room, given, address) {
  const own = /^[\w-]{22}$/.test(given.token) ? given.token : null
  const before = own === null ? undefined : seatWithKey(room, seatKey(own))
  // The answer was lost, or one of their files was imported before.
  if (before !== undefined) return { seat: known(before), token: own }
  if (room.settings.isLobbyLocked) {
    throw refuse(403, 'The instructor has closed the lobby: ask them to let you in.')
  }
  refuseMore(room)
  room.door.admit(address)
  const token = own ?? randomBytes(16).toString('base64url')
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
  refuseMore(room)
  const named = {
    name: nameFor(given.name, present()),
    nickname: nicknameFor(given.nickname, present()),
    isOnBoard: given.board === true
  }
  const seat = { tokenHash, ...named, joinedAt: time(), lastSeenAt: time(), removedAt: null }
  const id = keep(() => store.addSeat(seat, { at: time(), what, about: '' }))
  const live = { ...seat, id, ...nothing() }
  seats.set(id, live)
  onChange()
  return live
}

/** @param {RoomContext} room */
function refuseMore ({ present, mostSeats }) {
  if (present().length < mostSeats) return
  throw refuse(409, `The room is full: it has ${mostSeats} seats. The instructor can open it with more (--seats).`)
}

/**
 * @param {RoomContext} room
 * @param {LiveSeat} seat
 * @param {any} given name, nickname, board: only those that change
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
  keep(() => room.store.saveSeats([changed], room.audit(who, 'change seat', seat.id)))
  room.seats.set(seat.id, changed)
  room.onChange()
  return changed
}

/**
 * Its checks, the newest first.
 *
 * @param {RoomContext} room
 * @param {number} id
 * @returns {Check[]}
 */
export function historyOf (room, id) {
  const all = [...presentSeat(room, id).lessons.values()].flat().sort((a, b) => b.at - a.at)
  return all.map(({ lesson, at, verdict, ratio, target, reason, distance, source }) =>
    ({ lesson, at, verdict, ratio, target, reason, distance, source }))
}

/** @param {RoomContext} room @param {number} id @param {any} given name */
export function renameSeat (room, id, given) {
  return changeSeat(room, presentSeat(room, id), given, 'instructor')
}

/** The learner leaves, and all that is known about them is deleted. @param {RoomContext} room @param {LiveSeat} seat */
export function leave (room, seat) {
  const settings = withoutMessagesTo(room.settings, [seat.id])
  keep(() => room.store.deleteSeat(seat.id, settings, room.audit(`seat ${seat.id}`, 'leave')))
  room.settings = settings
  forget(room, seat.id)
  room.seats.delete(seat.id)
  room.onChange()
}

/** What's left only says why the learner is no longer admitted. @param {RoomContext} room @param {number} id */
export function removeSeat (room, id) {
  emptySeats(room, [presentSeat(room, id)], 'remove seat')
}

/** @param {RoomContext} room @param {readonly LiveSeat[]} seats @param {string} what for the audit */
export function emptySeats (room, seats, what) {
  const ids = seats.map(({ id }) => id)
  const settings = withoutMessagesTo(room.settings, ids)
  const gone = seats.map((seat) => emptied(seat, room.time()))
  keep(() => room.store.emptySeats(gone, settings, room.audit('instructor', what, ids.join(' '))))
  room.settings = settings
  for (const seat of gone) {
    forget(room, seat.id)
    room.seats.set(seat.id, seat)
  }
  room.onChange()
}

/** In memory. @param {RoomContext} room @param {number} id */
function forget ({ signs, hands, predictions, submissions }, id) {
  for (const kept of [signs, hands, ...predictions.values()]) kept.delete(id)
  for (const one of submissions.values()) if (one.seat === id) submissions.delete(one.id)
}

/** @param {LiveSeat} seat @param {string} removedAt @returns {LiveSeat} */
function emptied (seat, removedAt) {
  return { ...seat, name: '', nickname: null, isOnBoard: false, removedAt, ...nothing() }
}

/** @param {RoomContext} room @param {number} id @returns {LiveSeat} */
function presentSeat (room, id) {
  const seat = room.seats.get(id)
  if (seat === undefined || seat.removedAt !== null) throw refuse(404, 'There’s no such seat in this room.')
  return seat
}

/** Unchanged, unless others have taken its names meanwhile. @param {LiveSeat} seat @param {LiveSeat[]} others */
function uniquelyNamed (seat, others) {
  const { name, nickname } = seat
  return { ...seat, name: nameFor(name, others), nickname: nicknameFor(nickname, others) }
}

/** @param {unknown} given @param {readonly StoredSeat[]} others @returns {string} */
function nameFor (given, others) {
  return uniqueName(named(given, 'name'), new Set(others.flatMap(foldedOf)))
}

/** @param {unknown} given @param {readonly StoredSeat[]} others @returns {string | null} */
function nicknameFor (given, others) {
  if (given === undefined || given === null || given === '') return null
  return uniqueName(named(given, 'nickname'), new Set(others.flatMap(foldedOf)))
}

/** One learner's nickname must not be another's name. @type {(seat: StoredSeat) => string[]} */
const foldedOf = once(({ name, nickname }) => nickname === null ? [folded(name)] : [folded(name), folded(nickname)])

/** @param {unknown} given @param {string} what @returns {string} */
function named (given, what) {
  const name = readName(given)
  if (name === null) throw refuse(400, `A ${what} needs a letter or a digit in it.`)
  return name
}

/**
 * Removes many bogus seats at once; for a while they can come back.
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
