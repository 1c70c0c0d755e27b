import { isEqual, refuse } from '../http/index.js'
import { hasPassed } from './attempts.js'
import { newJoinCode, newSecret, readCode, readMessage } from './names.js'
import { doings } from './presence.js'
import { keep } from './room-state.js'

/**
 * An instructor's settings for the whole room.
 *
 * @import { LiveSeat, Room } from './room-state.js'
 * @import { Message, Settings } from './store.js'
 */

const mostFormerCodes = 20

/** @param {Room} room @param {unknown} given */
export function isCode (room, given) {
  return isEqual(readCode(given), room.settings().code)
}

/** @param {Room} room @param {number} port at which learners reach it from now on */
export function notePort (room, port) {
  if (port !== room.settings().port) saveSettings(room, { port }, 'open', `port ${port}`)
}

/** The old code no longer works; learners keep their seats. @param {Room} room */
export function changeCode (room) {
  const { code, formerCodes = [] } = room.settings()
  saveSettings(room, { code: newJoinCode(), formerCodes: [code, ...formerCodes].slice(0, mostFormerCodes) }, 'new code')
}

/** The instructor's old link no longer works. @param {Room} room */
export function changeSecret (room) {
  saveSettings(room, { secret: newSecret() }, 'new secret')
}

/**
 * @param {Room} room
 * @param {any} given lobbyLocked, locked, revealed, current, timer: only those that change
 */
export function changeSettings (room, given) {
  const changes = {
    ...changesOf(given, room.ids), ...currentOf(given.current, room), ...timerOf(given.timer, room)
  }
  saveSettings(room, changes, 'change', JSON.stringify(changes))
}

/** @param {Room} room @param {Partial<Settings>} changes @param {string} what @param {string} [about] */
function saveSettings (room, changes, what, about) {
  const settings = { ...room.settings(), ...changes }
  keep(() => room.store.saveSettings(settings, room.audit('instructor', what, about)))
  room.onChange()
}

/** @param {any} current @param {Room} room @returns {Pick<Settings, 'current'>} */
function currentOf (current, room) {
  if (current === undefined) return {}
  if (current === null) return { current }
  const { lesson, minutes } = current
  if (!room.ids.includes(lesson) || !areMinutes(minutes)) {
    throw refuse(400, 'The current lesson needs the id of a lesson, and 1 to 600 minutes.')
  }
  return { current: { lesson, minutes, startedAt: room.time() } }
}

/** @param {any} timer @param {Room} room @returns {Pick<Settings, 'timer'>} */
function timerOf (timer, room) {
  if (timer === undefined) return {}
  if (timer === null) return { timer }
  const text = typeof timer.text === 'string' ? readMessage(timer.text) : ''
  if (text === '' || !areMinutes(timer.minutes)) throw refuse(400, 'A timer needs a text, and 1 to 600 minutes.')
  return { timer: { text, minutes: timer.minutes, startedAt: room.time() } }
}

/** @param {unknown} given @returns {given is number} */
function areMinutes (given) {
  return typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= 600
}

/** @param {any} given @param {readonly string[]} ids @returns {Partial<Settings>} */
function changesOf (given, ids) {
  const { lobbyLocked, locked, revealed } = given
  const lessons = (/** @type {any} */ list) => {
    const isList = Array.isArray(list) && list.every((id) => ids.includes(id))
    if (!isList) throw refuse(400, 'Lessons have to be a list of their ids.')
    return ids.filter((id) => list.includes(id))
  }
  if (lobbyLocked !== undefined && typeof lobbyLocked !== 'boolean') {
    throw refuse(400, 'The lobby is locked with true, and opened with false.')
  }
  return {
    ...lobbyLocked === undefined ? {} : { isLobbyLocked: lobbyLocked },
    ...locked === undefined ? {} : { locked: lessons(locked) },
    ...revealed === undefined ? {} : { revealed: lessons(revealed) }
  }
}

const mostMessages = 20
const mostSeats = 1000
const usualMinutes = 20

/**
 * Tells learners something: all of them, or some seats, and for how long.
 *
 * @param {Room} room
 * @param {any} given text; to: `all` or ids of seats, all of them by default; minutes: 20 by default
 * @returns {Message}
 */
export function sendMessage (room, given) {
  const { text, to = 'all', minutes = usualMinutes } = given
  const read = typeof text === 'string' ? readMessage(text) : ''
  if (read === '') throw refuse(400, 'A message needs a text.')
  if (!areMinutes(minutes)) throw refuse(400, 'A message is shown for 1 to 600 minutes.')
  const { messages } = room.settings()
  const endsAt = new Date(room.now() + minutes * 60_000).toISOString()
  const message = {
    id: (messages.at(-1)?.id ?? 0) + 1, text: read, to: readSeats(to, room), sentAt: room.time(), endsAt
  }
  saveSettings(room, { messages: [...messages, message].slice(-mostMessages) }, 'message', aboutOf(message))
  return message
}

/** The message is no longer shown, but can be sent again. @param {Room} room @param {number} id */
export function endMessage (room, id) {
  const before = room.settings().messages
  const found = before.find((one) => one.id === id)
  if (found === undefined) throw refuse(404, 'There’s no such message in this room.')
  const endsAt = found.endsAt < room.time() ? found.endsAt : room.time()
  const messages = before.map((one) => one === found ? { ...one, endsAt } : one)
  saveSettings(room, { messages }, 'end message', aboutOf(found))
}

/**
 * Without messages to them alone. Pure.
 *
 * @param {Settings} settings
 * @param {readonly number[]} gone ids of seats
 */
export function withoutMessagesTo (settings, gone) {
  const messages = settings.messages.flatMap((message) => {
    const to = message.to === 'all' ? message.to : message.to.filter((id) => !gone.includes(id))
    return to.length === 0 ? [] : [{ ...message, to }]
  })
  return { ...settings, messages }
}

/** @param {unknown} to @param {Room} room @returns {Message['to']} */
function readSeats (to, room) {
  if (to === 'all') return to
  if (!Array.isArray(to) || to.length > mostSeats) {
    throw refuse(400, 'A message goes to "all", or to a list of ids of seats.')
  }
  const ids = room.seats().map(({ id }) => id).filter((id) => to.includes(id))
  if (ids.length === 0) throw refuse(400, 'None of these seats is in the room any more.')
  return ids
}

/** The text isn't logged: names may be in it. @param {Message} message */
function aboutOf ({ id, to }) {
  return `${id} to ${to === 'all' ? to : to.join(' ')}`
}

/**
 * Notes what a learner is doing, in memory only.
 *
 * @param {Room} room
 * @param {LiveSeat} seat
 * @param {any} given lesson and state, as received: nonsense isn't kept
 */
export function noteSign (room, { id }, given) {
  const before = room.signs.get(id)
  const state = doings.find((one) => one === given.state) ?? null
  const lesson = lessonIn(room, given)
  const lookedAt = state === 'looking' || state === 'checking' ? room.now() : before?.lookedAt ?? 0
  room.signs.set(id, { at: room.now(), state, lesson, lookedAt })
  // The next tick shows how long ago it was.
  if (before?.state !== state || before.lesson !== lesson) room.onChange()
}

/** Raising it twice keeps the turn. @param {Room} room @param {LiveSeat} seat @param {any} given lesson */
export function raiseHand (room, { id }, given) {
  room.hands.set(id, { at: room.hands.get(id)?.at ?? room.now(), lesson: lessonIn(room, given) })
  room.onChange()
}

/** @param {Room} room @param {number} id of a seat */
export function lowerHand (room, id) {
  if (room.hands.delete(id)) room.onChange()
}

/** By the instructor. @param {Room} room @param {number} id of a seat */
export function takeHand (room, id) {
  if (!room.hands.has(id)) throw refuse(404, 'This seat has no hand up.')
  lowerHand(room, id)
}

const [leastRatio, mostRatio] = [0.1, 1000]

/**
 * How far a learner expects to get with a lesson.
 *
 * @param {Room} room
 * @param {LiveSeat} seat
 * @param {any} given lesson, ratio
 */
export function predict (room, { id, lessons }, given) {
  const lesson = lessonIn(room, given)
  const { ratio } = given
  if (lesson === null || typeof ratio !== 'number' || !(ratio >= leastRatio && ratio <= mostRatio)) {
    throw refuse(400, `A prediction needs a lesson of this room, and a factor from ${leastRatio} to ${mostRatio}.`)
  }
  if (hasPassed(lessons.get(lesson))) throw refuse(409, 'You’ve passed this lesson: a prediction comes before that.')
  keep(() => room.store.savePrediction(id, lesson, ratio))
  room.onChange()
}

/** @param {Room} room @param {any} given @returns {string | null} */
function lessonIn (room, given) {
  return room.ids.find((one) => one === given.lesson) ?? null
}
