import { randomBytes } from 'node:crypto'
import { refuse } from '../../runner/http/index.js'
import { seatKey } from '../../runner/shared/seat-and-room.js'
import { cleanLine } from '../../runner/shared/text.js'
import { keep } from './database.js'
import { withoutMessagesTo } from './settings.js'

/**
 * Seats in the room, from joining to leaving.
 *
 * @import { LiveSeat, Room, Sweep } from './room-state.js'
 * @import { StoredSeat } from './store.js'
 */

/** @param {Room} room @param {string} token @throws as `known` */
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

/** Even one that was removed. @param {Room} room @param {string} key of a token */
export function seatWithKey (room, key) {
  return room.live(room.store.readSeatWith(key))
}

/**
 * @param {Room} room
 * @param {any} given name, nickname, board, and a token that the learner's machine has made
 * @param {string} address of the request
 * @returns {{ seat: LiveSeat, token: string }}
 */
export function join (room, given, address) {
  const own = /^[\w-]{22}$/.test(given.token) ? given.token : null
  const before = own === null ? undefined : seatWithKey(room, seatKey(own))
  // The answer was lost, or one of their files was imported before.
  if (before !== undefined) return { seat: known(before), token: own }
  if (room.settings().isLobbyLocked) {
    throw refuse(403, 'The instructor has closed the lobby: ask them to let you in.')
  }
  refuseMore(room)
  room.admission.admit(address)
  const token = own ?? randomBytes(16).toString('base64url')
  return { seat: addSeat(room, seatKey(token), given, 'join'), token }
}

/**
 * @param {Room} room
 * @param {string} tokenHash
 * @param {any} given name, nickname, board
 * @param {string} what for the audit
 * @returns {LiveSeat}
 */
export function addSeat (room, tokenHash, given, what) {
  refuseMore(room)
  const at = room.time()
  const seat = {
    tokenHash,
    name: nameFor(given.name, room.seats()),
    nickname: nicknameFor(given.nickname, room.seats()),
    isOnBoard: given.board === true,
    joinedAt: at,
    lastSeenAt: at,
    removedAt: null
  }
  const id = keep(() => room.store.addSeat(seat, { at, what, about: '' }))
  room.onChange()
  return known(room.live({ ...seat, id }))
}

/** @param {Room} room */
function refuseMore ({ seats, mostSeats }) {
  if (seats().length < mostSeats) return
  throw refuse(409, `The room is full: it has ${mostSeats} seats. The instructor can open it with more (--seats).`)
}

/**
 * @param {Room} room
 * @param {LiveSeat} seat
 * @param {any} given name, nickname, board: only those that change
 * @param {string} [who] for the audit
 * @returns {LiveSeat}
 */
export function changeSeat (room, seat, given, who = `seat ${seat.id}`) {
  const others = room.seats().filter(({ id }) => id !== seat.id)
  const changed = {
    ...seat,
    ...given.name === undefined ? {} : { name: nameFor(given.name, others) },
    ...given.nickname === undefined ? {} : { nickname: nicknameFor(given.nickname, others) },
    ...given.board === undefined ? {} : { isOnBoard: given.board === true }
  }
  keep(() => room.store.saveSeats([changed], room.audit(who, 'change seat', seat.id)))
  room.onChange()
  return changed
}

/** The checks of a seat, the newest first. @param {Room} room @param {number} id */
export function historyOf (room, id) {
  return [...presentSeat(room, id).lessons.values()].flat().sort((a, b) => b.at - a.at)
}

/** @param {Room} room @param {number} id @param {unknown} name */
export function renameSeat (room, id, name) {
  return changeSeat(room, presentSeat(room, id), { name }, 'instructor')
}

/** The learner leaves, and all that is known about them is deleted. @param {Room} room @param {LiveSeat} seat */
export function leave (room, seat) {
  const settings = withoutMessagesTo(room.settings(), [seat.id])
  keep(() => room.store.deleteSeat(seat.id, settings, room.audit(`seat ${seat.id}`, 'leave')))
  room.forget(seat.id)
  room.onChange()
}

/** A removed seat only says why its learner is no longer admitted. @param {Room} room @param {number} id */
export function removeSeat (room, id) {
  emptySeats(room, [presentSeat(room, id)], 'remove seat')
}

/** @param {Room} room @param {readonly LiveSeat[]} seats @param {string} what for the audit */
function emptySeats (room, seats, what) {
  const ids = seats.map(({ id }) => id)
  const settings = withoutMessagesTo(room.settings(), ids)
  const nothing = { name: '', nickname: null, isOnBoard: false, removedAt: room.time() }
  const gone = seats.map((seat) => ({ ...seat, ...nothing }))
  keep(() => room.store.emptySeats(gone, settings, room.audit('instructor', what, ids.join(' '))))
  ids.forEach(room.forget)
  room.onChange()
}

/** @param {Room} room @param {number} id @returns {LiveSeat} */
function presentSeat (room, id) {
  const seat = room.store.readSeat(id)
  if (seat === undefined || seat.removedAt !== null) throw refuse(404, 'There’s no such seat in this room.')
  return known(room.live(seat))
}

/** @param {unknown} given @param {readonly StoredSeat[]} others @param {string} [what] it is @returns {string} */
function nameFor (given, others, what = 'name') {
  const name = readName(given)
  if (name === null) throw refuse(400, `A ${what} needs a letter or a digit in it.`)
  return uniqueName(name, new Set(others.flatMap(foldedOf)))
}

/** @param {unknown} given @param {readonly StoredSeat[]} others @returns {string | null} */
function nicknameFor (given, others) {
  if (given === undefined || given === null || given === '') return null
  return nameFor(given, others, 'nickname')
}

/** One learner's nickname must not be another's name. @param {StoredSeat} seat */
function foldedOf ({ name, nickname }) {
  return nickname === null ? [folded(name)] : [folded(name), folded(nickname)]
}

/** Names are shown to a whole room: these are the characters they may have. Pure. */

const longestName = 40

/**
 * @param {unknown} given
 * @returns {string | null} without control and bidirectional characters, on one line, of limited length; null: it has
 *   no letter and no digit
 */
export function readName (given) {
  const name = typeof given === 'string' ? shorten(cleanLine(given).normalize('NFC'), longestName) : ''
  return /[\p{L}\p{N}]/u.test(name) ? name : null
}

/**
 * @param {string} name
 * @param {ReadonlySet<string>} taken folded
 * @returns {string} with a number, if it's taken: `Ada 2`
 */
export function uniqueName (name, taken) {
  if (!taken.has(folded(name))) return name
  for (let number = 2; ; number++) {
    const numbered = `${shorten(name, longestName - 1 - String(number).length)} ${number}`
    if (!taken.has(folded(numbered))) return numbered
  }
}

/** Letters, each with what looks like it: Greek and Cyrillic ones, and those that a wall's font draws alike. */
const alike = new Map([
  'aаα', 'bвβ', 'cсϲ', 'dԁ', 'eеεё', 'hнηһ', 'jјϳ', 'kкκ', 'li1ιіıӏ', 'mмμ', 'nν', 'o0оοσ',
  'pрρ', 'qԛ', 'sѕ5', 'tтτ', 'wԝω', 'xхχ', 'yуυү', 'zζ'
].flatMap(([letter, ...others]) => others.map((other) => [other, letter])))

/** Names that people would confuse become the same. @param {string} name */
export function folded (name) {
  const plain = name.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()
  return [...plain].map((letter) => alike.get(letter) ?? letter).join('')
}

/** Never cuts a character in half. @param {string} text @param {number} most */
function shorten (text, most) {
  return [...text].slice(0, most).join('').trim()
}

const undoMs = 60_000

/**
 * Removes all seats that joined after a moment and haven't reported anything; for a while they can come back.
 *
 * @param {Room} room
 * @param {any} given after: ISO 8601
 * @returns {number} how many
 */
export function sweep (room, given) {
  const after = Date.parse(typeof given.after === 'string' ? given.after : '')
  if (Number.isNaN(after)) throw refuse(400, 'Say after which moment, as in {"after":"2026-03-01T09:15:00.000Z"}.')
  const submitters = new Set([...room.submissions.values()].map(({ seat }) => seat))
  const seats = room.seats().filter(({ id, joinedAt, lessons }) =>
    lessons.size === 0 && !submitters.has(id) && Date.parse(joinedAt) > after)
  if (seats.length === 0) return 0
  emptySeats(room, seats, 'remove seats')
  room.swept = { seats, until: room.now() + undoMs }
  room.onChange()
  return seats.length
}

/** @param {Room} room @returns {number} how many came back */
export function undoSweep (room) {
  const swept = lastSweep(room)
  if (swept === null) throw refuse(409, 'There’s nothing to undo: a removal can be undone for a minute.')
  /** @type {LiveSeat[]} */
  const back = []
  for (const seat of swept.seats) {
    // Others may have taken its names meanwhile.
    const others = [...room.seats(), ...back]
    back.push({ ...seat, name: nameFor(seat.name, others), nickname: nicknameFor(seat.nickname, others) })
  }
  keep(() => room.store.saveSeats(back, room.audit('instructor', 'undo', back.map(({ id }) => id).join(' '))))
  room.swept = null
  room.onChange()
  return back.length
}

/** That can still be undone; later, its names are forgotten. @param {Room} room @returns {Sweep | null} */
export function lastSweep (room) {
  if (room.swept !== null && room.now() > room.swept.until) room.swept = null
  return room.swept
}
