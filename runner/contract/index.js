export { rules } from '../shared/model-rules.js'
export { Answer, ContractError, LateError } from './answer.js'
export { send, sendInOneGo, timeFor } from './client.js'
export { difference, generateCommands, usualCodings } from './operation.js'
export * from './run-contract.js'
export { BaselineError, rulesOf, runModelTest } from './run-model-test.js'
export { curl } from './shorten-failure.js'
export { checksOf, stray } from './situations.js'

/**
 * @typedef {import('./client.js').Request} Request
 * @typedef {import('./operation.js').Asked} Asked
 * @typedef {import('./operation.js').Event} Event
 * @typedef {import('./operation.js').Operation} Operation
 * @typedef {import('./operation.js').Step} Step
 * @typedef {import('./run-model-test.js').Subject} Subject
 */
