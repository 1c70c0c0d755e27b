export { ContractError } from './answer.js'
export { MirrorError } from './mirror.js'
export { checksOf, runContract } from './run.js'
export { drawSequence } from './sequence/draw.js'
export { stray } from './sequence/stray.js'
export { rulesOf, trySequence } from './sequence/run.js'
export * from './check.js'

/**
 * @typedef {import('./answer.js').Answer} Answer
 * @typedef {import('./client.js').Request} Request
 * @typedef {import('./given.js').Another} Another
 * @typedef {import('./given.js').Given} Given
 * @typedef {import('./sequence/operation.js').Asked} Asked
 * @typedef {import('./sequence/operation.js').Event} Event
 * @typedef {import('./sequence/operation.js').Operation} Operation
 * @typedef {import('./sequence/operation.js').Step} Step
 * @typedef {import('./sequence/run.js').Contestant} Contestant
 * @typedef {import('./sequence/tell.js').Failure} Failure
 */
