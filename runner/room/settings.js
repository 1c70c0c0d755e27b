import { refuse } from '../http/index.js'
import { readMessage } from './derive/names.js'
import { keep } from './keep.js'

/**
 * What an instructor sets for the whole room.
 *
 * @import { RoomContext } from './context.js'
 * @import { Settings } from './store/store.js'
 */

/** @param {RoomContext} room @param {number} port under which learners know it from now on */
export function notePort (room, port) {
  if (port === room.settings.port) return
  const settings = { ...room.settings, port }
  room.store.saveSettings(settings, room.audit('instructor', 'open', `port ${port}`))
  room.settings = settings
}

/** @param {RoomContext} room @param {any} given message, lobbyLocked, locked, revealed: each where it changes */
export function changeSettings (room, given) {
  const changes = changesOf(given, room.ids)
  const settings = { ...room.settings, ...changes }
  keep(() => room.store.saveSettings(settings, room.audit('instructor', 'change', JSON.stringify(changes))))
  room.settings = settings
  room.onChange()
}

/** @param {any} given @param {readonly string[]} ids @returns {Partial<Settings>} */
function changesOf (given, ids) {
  const { message, lobbyLocked, locked, revealed } = given ?? {}
  const lessons = (/** @type {any} */ list) => {
    const isList = Array.isArray(list) && list.every((id) => ids.includes(id))
    if (!isList) throw refuse(400, 'Lessons have to be a list of their ids.')
    return ids.filter((id) => list.includes(id))
  }
  if (message !== undefined && typeof message !== 'string') {
    throw refuse(400, 'A message has to be text; an empty one removes the last one.')
  }
  if (lobbyLocked !== undefined && typeof lobbyLocked !== 'boolean') {
    throw refuse(400, 'The lobby is locked with true, and opened with false.')
  }
  return {
    ...message === undefined ? {} : { message: readMessage(message) },
    ...lobbyLocked === undefined ? {} : { isLobbyLocked: lobbyLocked },
    ...locked === undefined ? {} : { locked: lessons(locked) },
    ...revealed === undefined ? {} : { revealed: lessons(revealed) }
  }
}
