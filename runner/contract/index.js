export { ContractError } from './answer.js'
export { checksOf, runContract } from './run.js'
export * from './check.js'

/**
 * @typedef {import('./answer.js').Answer} Answer
 * @typedef {import('./client.js').Request} Request
 * @typedef {import('./given.js').Another} Another
 * @typedef {import('./given.js').Given} Given
 */
