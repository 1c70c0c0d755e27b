import { refuse } from '../http/index.js'
import { newJoinCode } from './derive/code.js'
import { readMessage } from './derive/names.js'
import { keep } from './keep.js'
import { newSecret } from './secret.js'

/**
 * What an instructor sets for the whole room.
 *
 * @import { RoomContext } from './context.js'
 * @import { Settings } from './store/store.js'
 */

const mostFormerCodes = 20

/** @param {RoomContext} room @param {number} port at which learners reach it from now on */
export function notePort (room, port) {
  if (port !== room.settings.port) saveSettings(room, { port }, 'open', `port ${port}`)
}

/** The old code no longer works; learners keep their seats. @param {RoomContext} room */
export function changeCode (room) {
  const { code, formerCodes = [] } = room.settings
  saveSettings(room, { code: newJoinCode(), formerCodes: [code, ...formerCodes].slice(0, mostFormerCodes) }, 'new code')
}

/** The instructor's old link no longer works. @param {RoomContext} room */
export function changeSecret (room) {
  saveSettings(room, { secret: newSecret() }, 'new secret')
}

/**
 * @param {RoomContext} room
 * @param {any} given lobbyLocked, locked, revealed, current, timer: only those that change
 */
export function changeSettings (room, given) {
  const changes = {
    ...changesOf(given, room.ids), ...currentOf(given.current, room), ...timerOf(given.timer, room)
  }
  saveSettings(room, changes, 'change', JSON.stringify(changes))
}

/** @param {RoomContext} room @param {Partial<Settings>} changes @param {string} what @param {string} [about] */
export function saveSettings (room, changes, what, about) {
  const settings = { ...room.settings, ...changes }
  keep(() => room.store.saveSettings(settings, room.audit('instructor', what, about)))
  room.settings = settings
  room.onChange()
}

/** @param {any} current @param {RoomContext} room @returns {Pick<Settings, 'current'>} */
function currentOf (current, room) {
  if (current === undefined) return {}
  if (current === null) return { current }
  const { lesson, minutes } = current
  if (!room.ids.includes(lesson) || !areMinutes(minutes)) {
    throw refuse(400, 'The current lesson needs the id of a lesson, and 1 to 600 minutes.')
  }
  return { current: { lesson, minutes, startedAt: room.time() } }
}

/** @param {any} timer @param {RoomContext} room @returns {Pick<Settings, 'timer'>} */
function timerOf (timer, room) {
  if (timer === undefined) return {}
  if (timer === null) return { timer }
  const text = typeof timer.text === 'string' ? readMessage(timer.text) : ''
  if (text === '' || !areMinutes(timer.minutes)) throw refuse(400, 'A timer needs a text, and 1 to 600 minutes.')
  return { timer: { text, minutes: timer.minutes, startedAt: room.time() } }
}

/** @param {unknown} given @returns {given is number} */
export function areMinutes (given) {
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
