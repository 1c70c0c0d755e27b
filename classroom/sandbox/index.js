/** The door of the sandbox in which strangers' servers run. */
export { launchIn, startIn } from './bubblewrap.js'
export { hasRunOut, limits, removeGroups } from './groups.js'
export { aboutSandbox, probeSandbox } from './probe.js'

/**
 * @typedef {import('./bubblewrap.js').Sandbox} Sandbox
 */
