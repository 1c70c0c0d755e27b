/**
 * The door of a run: everything that it starts and writes, and its end. Processes that are started by it import
 * child.js.
 */
export {
  busiestBetween, cpuBetween, cpuOfOthers, cpuSnapshot, cpuTime, isStopped, residentBytes, scheduling
} from './cpu.js'
export { dieWithParent } from './die-with-parent.js'
export { openFaultControl } from './faults.js'
export { patienceMs, spawnHelper } from './helper.js'
export { coreSpeed, cpuLimit, describeMachine, judgedOn, paceOf, sizeFor } from './machine.js'
export { entryOf, isThere, listNames, openFile, processTable, readText, treeOf, watchNpm } from './proc.js'
export { stopTree, trimOutput } from './server-handle.js'
export { withOneServer, withSession } from './session.js'
export {
  endTreeOnWindows, findOurs, hasEnded, markerNames, markerOf, newRunMarker, signalChild, signalOurs, watchOurs
} from './signals.js'
export { answers, hasStrangers, listening, listensOn, watchConnections } from './sockets.js'
export { passedEnvironment } from './start-server.js'
export { checkPlaces, makeTemporary, removeMade, sweepPlaces, sweepTemporary } from './temporary.js'
export { followTurn, inTurn, measuring, takeTurn, takeTurnAtOnce } from './turn.js'

/**
 * @typedef {import('./faults.js').Answering} Answering
 * @typedef {import('./faults.js').Call} Call
 * @typedef {import('./faults.js').Fault} Fault
 * @typedef {import('./faults.js').Upstream} Upstream
 * @typedef {import('./faults.js').UpstreamAnswer} UpstreamAnswer
 * @typedef {import('./faults.js').UpstreamCall} UpstreamCall
 * @typedef {import('./faults.js').UpstreamOf} UpstreamOf
 * @typedef {import('./proc.js').Entry} Entry
 * @typedef {import('./proc.js').Identity} Identity
 * @typedef {import('./server-handle.js').Role} Role
 * @typedef {import('./server-handle.js').Server} Server
 * @typedef {import('./servers.js').ServerFolder} ServerFolder
 * @typedef {import('./servers.js').StartOptions} StartOptions
 * @typedef {import('./session.js').DataGiven} DataGiven
 * @typedef {import('./session.js').RunData} RunData
 * @typedef {import('./session.js').Runnable} Runnable
 * @typedef {import('./session.js').Session} Session
 * @typedef {import('./signals.js').Proof} Proof
 * @typedef {import('./start-server.js').Launch} Launch
 * @typedef {import('./start-server.js').Started} Started
 * @typedef {import('./start-server.js').Through} Through
 * @typedef {import('./temporary.js').TemporaryFolder} TemporaryFolder
 * @typedef {import('./temporary.js').Place} WritablePlace
 * @typedef {import('./turn.js').JobKind} JobKind
 * @typedef {import('./turn.js').Turn} Turn
 */
