export { runCheck } from './check.js'
export { checkSyntax, isUnchanged } from './files.js'
export { benchOwn } from './own-check.js'
export { recordOf } from './record-of.js'
export { runRounds } from './rounds.js'
export { conclude as concludeFitness, examineAtRest, examineUnderLoad, runSelfTest } from './self-test/index.js'
export { calibratedEntry, expectations, writeCalibrated } from './self-test/pair.js'

/**
 * @typedef {import('./context.js').Unfinished} Unfinished
 * @typedef {import('./rounds.js').RoundsOptions} RoundsOptions
 * @typedef {import('./self-test/index.js').Finding} Finding
 */
