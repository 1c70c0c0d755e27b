/** A learner's seat in a room: what their machine keeps of it and sends to it. */
export { askRoom } from './ask.js'
export { exportText } from './export-file.js'
export { readSeat } from './seat-files.js'
export { askSeat, joinRoom, leaveRoom, prepareToJoin, seatForExport } from './join.js'
export { reportCheck } from './report.js'

/** @typedef {import('./ask.js').RoomWord} RoomWord */
