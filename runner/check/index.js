export { runCheck } from './check.js'
export { concludeFitness, examineAtRest, examineUnderLoad, expectations } from './doctor.js'
export { checkSyntax, isUnchanged } from './files.js'
export { benchOwn } from './own-check.js'
export { recordOf } from './record-of.js'
export { runRounds } from './rounds.js'

/**
 * @typedef {import('./context.js').Unfinished} Unfinished
 * @typedef {import('./context.js').Wait} Wait
 * @typedef {import('./rounds.js').RoundsOptions} RoundsOptions
 * @typedef {import('./doctor.js').Finding} Finding
 */
