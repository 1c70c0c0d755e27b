import { isEqual, refuse } from '../../runner/http/index.js'
import { cleanLine } from '../../runner/shared/text.js'
import { hasPassed } from './attempts.js'
import { keep } from './database.js'
import { newJoinCode, newSecret, readCode } from './entrance.js'
import { doings } from './presence.js'

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

/** @param {Room} room @param {any} given some of those below */
export function changeSettings (room, given) {
  const changes = Object.assign({}, ...Object.entries(settable).map(([name, read]) =>
    given[name] === undefined ? {} : read(given[name], room)))
  saveSettings(room, changes, 'change', JSON.stringify(changes))
}

/** @type {Record<string, (given: any, room: Room) => Partial<Settings>>} */
const settable = {
  lobbyLocked: (given) => {
    if (typeof given === 'boolean') return { isLobbyLocked: given }
    throw refuse(400, 'The lobby is locked with true, and opened with false.')
  },
  locked: (given, room) => ({ locked: readLessons(given, room) }),
  revealed: (given, room) => ({ revealed: readLessons(given, room) }),
  current: (given, room) => {
    if (given === null) return { current: null }
    const { lesson, minutes } = given
    const isLesson = room.ids.includes(lesson)
    if (isLesson && areMinutes(minutes)) return { current: { lesson, minutes, startedAt: room.time() } }
    throw refuse(400, 'The current lesson needs the id of a lesson, and 1 to 600 minutes.')
  },
  timer: (given, room) => {
    if (given === null) return { timer: null }
    const { minutes } = given
    const text = readMessage(given.text)
    if (text !== '' && areMinutes(minutes)) return { timer: { text, minutes, startedAt: room.time() } }
    throw refuse(400, 'A timer needs a text, and 1 to 600 minutes.')
  }
}

/** @param {any} list @param {Room} room */
function readLessons (list, { ids }) {
  if (Array.isArray(list) && list.every((id) => ids.includes(id))) return ids.filter((id) => list.includes(id))
  throw refuse(400, 'Lessons have to be a list of their ids.')
}

/** @param {unknown} given @returns {string} one line; empty: it's none */
function readMessage (given) {
  return typeof given === 'string' ? [...cleanLine(given)].slice(0, longestMessage).join('').trim() : ''
}

/** @param {unknown} given @returns {given is number} */
function areMinutes (given) {
  return typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= 600
}

/** @param {Room} room @param {Partial<Settings>} changes @param {string} what @param {string} [about] */
function saveSettings (room, changes, what, about) {
  const settings = { ...room.settings(), ...changes }
  keep(() => room.store.saveSettings(settings, room.audit('instructor', what, about)))
  room.onChange()
}

const longestMessage = 500
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
  const read = readMessage(text)
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

/** The settings without messages to these seats alone. @param {Settings} settings @param {readonly number[]} gone */
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

/** In memory only. @param {Room} room @param {LiveSeat} seat @param {any} given lesson, state: nonsense isn't kept */
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

/** A learner expects to get so far. @param {Room} room @param {LiveSeat} seat @param {any} given lesson, ratio */
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
