/** A learner's seat in a room: what their machine keeps of it and sends to it. */
export {
  askRoom, askSeat, changeHand, changeOwnSeat, hearRoom, joinRoom, leaveRoom, predict, prepareToJoin, saidBy,
  seatForExport, seatInRoom
} from './own-seat.js'
export { filesToSubmit, reportCheck, reportEarlier, submitFiles } from './report.js'
export { exportText, passedBefore, readSeat } from './seat-files.js'

/** @typedef {import('./own-seat.js').Sign} Sign */
