/** The door of the sandbox in which strangers' servers run. */
export { launchIn, startIn } from './bubblewrap.js'
export { hasRunOut, removeGroups } from './groups.js'
export { probeSandbox } from './probe.js'

/**
 * @typedef {import('./bubblewrap.js').Sandbox} Sandbox
 */
