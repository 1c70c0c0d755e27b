/** The door of the re-grading: other people's submissions, checked in a sandbox. */
export { findSubmissions } from './find-submissions.js'
export { regradeFolder } from './folder.js'
export { regrade } from './regrade.js'
export { probeSandbox } from '../sandbox/index.js'

/**
 * @typedef {import('./folder.js').Grade} Grade
 * @typedef {import('../sandbox/index.js').Sandbox} Sandbox
 */
