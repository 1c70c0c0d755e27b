export { cpuTime, isStopped, residentBytes, scheduling } from './accounts.js'
export { cpuBetween, cpuSnapshot } from './cpu.js'
export { cpuLimit } from './cpu-limit.js'
export { coreSpeed, paceOf, sizeFor } from './speed.js'
export { busiestBetween, cpuOfOthers } from './others.js'
export { describeMachine, judgedOn } from './describe-machine.js'
export { dieWithParent } from './die-with-parent.js'
export { markerNames, markerOf, newRunMarker } from './marker.js'
export { watchNpm } from './parent.js'
export { openFile } from './open-file.js'
export { checkPlaces, sweepPlaces } from './writable-folders.js'
export { listNames, readText } from './proc.js'
export { entryOf, isThere, processTable, treeOf } from './process-table.js'
export { endTreeOnWindows, findOurs, hasEnded, signalChild, signalOurs, watchOurs } from './signals.js'
export { hasStrangers, listening, listensOn, watchConnections } from './sockets.js'
export { inTurn, measuring } from './in-turn.js'
export { followTurn, takeTurn, takeTurnAtOnce } from './turn.js'
export { makeTemporary, removeMade, sweepTemporary } from './temporary.js'

/**
 * @typedef {import('./in-turn.js').JobKind} JobKind
 * @typedef {import('./ours.js').Proof} Proof
 * @typedef {import('./writable-folders.js').Place} WritablePlace
 * @typedef {import('./process-table.js').Entry} Entry
 * @typedef {import('./process-table.js').Identity} Identity
 * @typedef {import('./temporary.js').TemporaryFolder} TemporaryFolder
 * @typedef {import('./turn.js').Turn} Turn
 */
