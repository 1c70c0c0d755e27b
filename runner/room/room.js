import { isEqual } from '../http/index.js'
import { openContext } from './context.js'
import { readCode } from './derive/code.js'
import { addReport, importFile } from './reports.js'
import { changeSeat, join, leave, removeSeat, renameSeat, seatOf } from './seats.js'
import { changeCode, changeSecret, changeSettings, notePort } from './settings.js'

/**
 * The room itself: what may be done in it. What is refused is thrown with a status.
 *
 * @import { RoomContext, RoomOptions, RoomState } from './context.js'
 *
 * @typedef {import('./context.js').LiveSeat} LiveSeat
 * @typedef {ReturnType<typeof createRoom>} Room
 *
 * @param {RoomOptions} options
 */
export function createRoom (options) {
  const room = openContext(options)
  /**
   * @template {unknown[]} Given
   * @template Result
   * @param {(room: RoomContext, ...given: Given) => Result} verb
   * @returns {(...given: Given) => Result}
   */
  const inRoom = (verb) => (...given) => verb(room, ...given)
  return {
    /** @returns {RoomState} */
    state: () => ({ settings: room.settings, lessons: room.lessons, seats: room.present() }),
    isCode: (/** @type {unknown} */ given) => isEqual(readCode(given), room.settings.code),
    isFormerCode: (/** @type {unknown} */ given) => (room.settings.formerCodes ?? []).includes(readCode(given)),
    isSecret: (/** @type {string} */ given) => isEqual(given, room.settings.secret),
    notePort: inRoom(notePort),
    change: inRoom(changeSettings),
    changeCode: inRoom(changeCode),
    changeSecret: inRoom(changeSecret),
    seatOf: inRoom(seatOf),
    join: inRoom(join),
    changeSeat: inRoom(changeSeat),
    rename: inRoom(renameSeat),
    leave: inRoom(leave),
    remove: inRoom(removeSeat),
    addReport: inRoom(addReport),
    importFile: inRoom(importFile)
  }
}
