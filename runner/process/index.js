/**
 * The door of a run: everything that it starts and writes, and its end. Processes that are started by it import
 * child.js.
 */
export * from './cpu.js'
export { dieWithParent, patienceMs, spawnHelper } from './helper.js'
export { coreSpeed, cpuLimit, describeMachine, gainOfTwo, judgedOn, paceOf } from './machine.js'
export {
  mostPatience, patienceNow, patienceOf, patienceToWait, sayLate, secondPatience, settleLate
} from './patience.js'
export { entryOf, isThere, listNames, openFile, processTable, readText, watchNpm } from './proc.js'
export { passedEnvironment } from './start-server.js'
export { trimOutput } from './server-output.js'
export * from './session.js'
export { findOurs, markerNames, markerOf, newRunMarker, signalChild, signalOurs } from './signals.js'
export { answers, begunTo, hasStrangers, listening, watchConnections } from './sockets.js'
export { stopTree } from './stop.js'
export { checkPlaces, makeTemporary, sweepPlaces, sweepTemporary } from './temporary.js'
export { followTurn, inTurn, measuring, takeTurn, takeTurnAtOnce } from './turn.js'
export * from './upstream.js'

/**
 * @typedef {import('./proc.js').Entry} Entry
 * @typedef {import('./patience.js').Attempt} Attempt
 * @typedef {import('./patience.js').Patient} Patient
 * @typedef {import('./run-folder.js').ServerFolder} ServerFolder
 * @typedef {import('./start-server.js').Launch} Launch
 * @typedef {import('./start-server.js').Role} Role
 * @typedef {import('./start-server.js').Server} Server
 * @typedef {import('./start-server.js').Started} Started
 * @typedef {import('./start-server.js').Through} Through
 * @typedef {import('./signals.js').Proof} Proof
 * @typedef {import('./temporary.js').Place} WritablePlace
 * @typedef {import('./turn.js').JobKind} JobKind
 * @typedef {import('./turn.js').Turn} Turn
 */
