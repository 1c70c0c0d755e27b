/** A learner's seat in a room: what their machine keeps of it and sends to it. */
export { askRoom } from './ask.js'
export { exportText, passedBefore } from './export-file.js'
export { hearRoom } from './hear.js'
export { readSeat } from './seat-files.js'
export {
  askSeat, changeHand, changeOwnSeat, joinRoom, leaveRoom, predict, prepareToJoin, seatForExport, seatInRoom
} from './join.js'
export { saidBy } from './room-sentences.js'
export { reportCheck, reportEarlier } from './report.js'
export { filesToSubmit, submissionSentence, submitFiles } from './submit.js'

/**
 * @typedef {import('./read-answer.js').RoomWord} RoomWord
 * @typedef {import('./join.js').Sign} Sign
 */
