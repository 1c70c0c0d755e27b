/** The door of the re-grading: other people's submissions, and the sandbox in which they're checked. */
export { launchIn, startIn } from './bubblewrap.js'
export { findSubmissions, regradeFolder } from './folder.js'
export { removeGroups } from './groups.js'
export { aboutSandbox, probeSandbox, refuseRoot } from './probe.js'
export { regrade } from './regrade.js'

/**
 * @typedef {import('./bubblewrap.js').Sandbox} Sandbox
 * @typedef {import('./folder.js').Grade} Grade
 */
