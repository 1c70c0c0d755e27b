/** A learner's seat in a room: what their own machine keeps of it and sends there. */
export { exportText } from './export-file.js'
export { joinRoom, leaveRoom, prepareToJoin, seatForExport } from './join.js'
export { reportCheck } from './report.js'
