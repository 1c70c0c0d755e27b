export { runContract, checksOf } from './run.js'
export { ContractError } from './answer.js'

/**
 * @typedef {import('./given.js').Given} Given
 */
