/** The door of the re-grading: other people's submissions, checked in a sandbox. */
export { regrade } from './regrade.js'
export { probeSandbox } from '../sandbox/index.js'

/**
 * @typedef {import('./regrade.js').Regraded} Regraded
 * @typedef {import('../sandbox/index.js').Sandbox} Sandbox
 */
