/** The door of the re-grading: other people's submissions, checked in a sandbox. */
export { aboutSandbox, probeSandbox } from '../sandbox/index.js'
export { findSubmissions, regradeFolder } from './folder.js'
export { regrade } from './regrade.js'

/**
 * @typedef {import('../sandbox/index.js').Sandbox} Sandbox
 * @typedef {import('./folder.js').Grade} Grade
 */
