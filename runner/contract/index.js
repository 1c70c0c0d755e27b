export { Answer, ContractError } from './answer.js'
export { send } from './client.js'
export { checksOf, runContract } from './run-contract.js'
export { difference } from './model-test/compare-answers.js'
export { generateCommands } from './model-test/generate-commands.js'
export { stray } from './model-test/odd-requests.js'
export { rules } from '../model-rules.js'
export { curl } from './model-test/sequence-messages.js'
export { BaselineError, rulesOf, runModelTest } from './model-test/run-model-test.js'
export * from './check.js'

/**
 * @typedef {import('./client.js').Request} Request
 * @typedef {import('./given.js').Another} Another
 * @typedef {import('./given.js').Given} Given
 * @typedef {import('./model-test/operation.js').Asked} Asked
 * @typedef {import('./model-test/operation.js').Event} Event
 * @typedef {import('./model-test/operation.js').Operation} Operation
 * @typedef {import('./model-test/operation.js').Step} Step
 * @typedef {import('./model-test/run-model-test.js').Subject} Subject
 */
