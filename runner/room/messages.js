import { refuse } from '../http/index.js'
import { readMessage } from './derive/names.js'
import { areMinutes, saveSettings } from './settings.js'

/**
 * What the instructor tells learners: all of them, or some seats, and for how long.
 *
 * @import { RoomContext } from './context.js'
 * @import { Message, Settings } from './store/store.js'
 */

const mostMessages = 20
const mostSeats = 1000
const usualMinutes = 20

/**
 * @param {RoomContext} room
 * @param {any} given text; to: `all` or ids of seats, all of them by default; minutes: 20 by default
 * @returns {Message}
 */
export function sendMessage (room, given) {
  const { text, to = 'all', minutes = usualMinutes } = given
  const read = typeof text === 'string' ? readMessage(text) : ''
  if (read === '') throw refuse(400, 'A message needs a text.')
  if (!areMinutes(minutes)) throw refuse(400, 'A message is shown for 1 to 600 minutes.')
  const { messages } = room.settings
  const endsAt = new Date(room.now() + minutes * 60_000).toISOString()
  const message = {
    id: (messages.at(-1)?.id ?? 0) + 1, text: read, to: readSeats(to, room), sentAt: room.time(), endsAt
  }
  saveSettings(room, { messages: [...messages, message].slice(-mostMessages) }, 'message', aboutOf(message))
  return message
}

/** It's no longer shown, but can be sent again. @param {RoomContext} room @param {number} id */
export function endMessage (room, id) {
  const found = room.settings.messages.find((one) => one.id === id)
  if (found === undefined) throw refuse(404, 'There’s no such message in this room.')
  const endsAt = found.endsAt < room.time() ? found.endsAt : room.time()
  const messages = room.settings.messages.map((one) => one === found ? { ...one, endsAt } : one)
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

/** @param {unknown} to @param {RoomContext} room @returns {Message['to']} */
function readSeats (to, room) {
  if (to === 'all') return to
  if (!Array.isArray(to) || to.length > mostSeats) {
    throw refuse(400, 'A message goes to "all", or to a list of ids of seats.')
  }
  const ids = room.present().map(({ id }) => id).filter((id) => to.includes(id))
  if (ids.length === 0) throw refuse(400, 'None of these seats is in the room any more.')
  return ids
}

/** The text isn't logged: names may be in it. @param {Message} message */
function aboutOf ({ id, to }) {
  return `${id} to ${to === 'all' ? to : to.join(' ')}`
}
