export { recordOf } from './record-of.js'
export { runRounds } from './rounds/index.js'
export { tryLoadPlan } from './load-plan/index.js'
export { runCheck } from './run-check.js'
export { expectations } from './self-test/expect.js'
export { checkSyntax } from './syntax.js'
export { conclude as concludeFitness, examineAtRest, examineUnderLoad } from './self-test/examine.js'
export { runSelfTest } from './self-test/index.js'
export { calibratedEntry, writeCalibrated } from './self-test/pair.js'
export { isUnchanged } from './is-unchanged.js'

/**
 * @typedef {import('./context.js').RoundsContext} RoundsContext
 * @typedef {import('./context.js').Unfinished} Unfinished
 * @typedef {import('./self-test/findings.js').Finding} Finding
 */
