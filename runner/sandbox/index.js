/** The door of the sandbox in which strangers' servers run. */
export { launchIn, startIn } from './launch.js'
export { probeSandbox } from './probe.js'
export { hasRunOut, removeGroups } from './groups.js'

/** @typedef {import('./launch.js').Sandbox} Sandbox */
