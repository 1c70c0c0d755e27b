import { isEqual } from '../http/index.js'
import { openContext } from './context.js'
import { createInbox, importFile, readOne } from './inbox.js'
import { readCode } from './names.js'
import {
  changeSeat, historyOf, join, lastSweep, leave, removeSeat, renameSeat, seatOf, sweep, undoSweep
} from './seats.js'
import {
  changeCode, changeSecret, changeSettings, endMessage, lowerHand, notePort, noteSign, predict, raiseHand,
  sendMessage, takeHand
} from './settings.js'
import { expire, gradeAgain, markCheat, ownSubmission, showSubmission, submit, workIn } from './submissions.js'

/**
 * The room itself: what can be done in it. A refusal is thrown with a status.
 *
 * @import { LiveSeat, RoomContext, RoomOptions, RoomState } from './context.js'
 *
 * @typedef {ReturnType<typeof createRoom>} Room
 *
 * @param {RoomOptions} options
 */
export function createRoom (options) {
  const room = openContext(options)
  const put = createInbox(room)
  /**
   * @template {unknown[]} Given
   * @template Result
   * @param {(room: RoomContext, ...given: Given) => Result} verb
   * @returns {(...given: Given) => Result}
   */
  const inRoom = (verb) => (...given) => verb(room, ...given)
  return {
    state: inRoom(stateOf),
    isCode: (/** @type {unknown} */ given) => isEqual(readCode(given), room.settings.code),
    isFormerCode: (/** @type {unknown} */ given) => (room.settings.formerCodes ?? []).includes(readCode(given)),
    isSecret: (/** @type {string} */ given) => isEqual(given, room.settings.secret),
    notePort: inRoom(notePort),
    change: inRoom(changeSettings),
    sendMessage: inRoom(sendMessage),
    endMessage: inRoom(endMessage),
    changeCode: inRoom(changeCode),
    changeSecret: inRoom(changeSecret),
    seatOf: inRoom(seatOf),
    join: inRoom(join),
    changeSeat: inRoom(changeSeat),
    history: inRoom(historyOf),
    rename: inRoom(renameSeat),
    leave: inRoom(leave),
    remove: inRoom(removeSeat),
    noteSign: inRoom(noteSign),
    raiseHand: inRoom(raiseHand),
    lowerHand: inRoom(lowerHand),
    takeHand: inRoom(takeHand),
    predict: inRoom(predict),
    /** @param {unknown} address */
    letMoreIn: (address) => {
      room.door.letMoreIn(address)
      room.onChange()
    },
    submit: inRoom(submit),
    ownSubmission: inRoom(ownSubmission),
    work: workIn(room),
    expire: inRoom(expire),
    /** @param {boolean} isCut whether Redis has stopped answering */
    noteCut: (isCut) => {
      room.isCut = isCut
      room.onChange()
    },
    gradeAgain: inRoom(gradeAgain),
    markCheat: inRoom(markCheat),
    showSubmission: inRoom(showSubmission),
    sweep: inRoom(sweep),
    undoSweep: inRoom(undoSweep),
    /** @param {LiveSeat} seat @param {any} body `{ id, sentAt, record }` @returns {Promise<boolean>} is it new? */
    addReport: async (seat, body) => put(readOne(room, seat, body, 'reported')),
    importFile: inRoom(importFile)
  }
}

/** @param {RoomContext} room @returns {RoomState} */
function stateOf (room) {
  return {
    settings: room.settings,
    lessons: room.lessons,
    // Most of what asks for a state needs none of these.
    get seats () { return room.present() },
    get crowded () { return room.door.crowded() },
    swept: lastSweep(room)?.seats.length ?? 0,
    signs: room.signs,
    hands: room.hands,
    predictions: room.predictions,
    submissions: room.submissions,
    workers: room.workers,
    isCut: room.isCut,
    now: room.now()
  }
}
