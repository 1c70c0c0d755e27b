export { rules } from '../shared/model-rules.js'
export { Answer, ContractError, LateError, send } from './client.js'
export { difference } from './compare-answers.js'
export { generateCommands } from './operation.js'
export * from './run-contract.js'
export { BaselineError, rulesOf, runModelTest } from './run-model-test.js'
export { curl, stray } from './sequence-messages.js'

/**
 * @typedef {import('./client.js').Request} Request
 * @typedef {import('./operation.js').Asked} Asked
 * @typedef {import('./operation.js').Event} Event
 * @typedef {import('./operation.js').Operation} Operation
 * @typedef {import('./operation.js').Step} Step
 * @typedef {import('./run-model-test.js').Subject} Subject
 */
