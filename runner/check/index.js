export { runCheck } from './check.js'
export { concludeFitness, examineAtRest, examineUnderLoad, expectations } from './doctor.js'
export { tryLoadPlan } from './load-plan/try-plan.js'
export { recordOf } from './record-of.js'
export { runRounds } from './rounds.js'
export { selfTestEntry } from './self-test/self-test.js'
export { checkSyntax } from './syntax.js'
export { isUnchanged } from './unchanged.js'

/**
 * @typedef {import('./record-of.js').RoundsContext} RoundsContext
 * @typedef {import('./record-of.js').Unfinished} Unfinished
 * @typedef {import('./doctor.js').Finding} Finding
 */
