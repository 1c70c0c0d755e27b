/**
 * The door of a run: everything that it starts and writes, and its end. Processes that are started by it import
 * child.js.
 */
export { patienceMs, spawnHelper } from './helper/spawn.js'
export { passedEnvironment } from './server/environment.js'
export { answers } from './server/port.js'
export { trimOutput } from './server/output.js'
export { stopTree } from './server/stop.js'
export { withOneServer } from './one-server.js'
export { withSession } from './session.js'
export { openFaultControl } from './upstream/control.js'
export * from './run-data.js'
export * from './upstream/types.js'

/**
 * @typedef {import('./server/handle.js').Role} Role
 * @typedef {import('./server/handle.js').Server} Server
 * @typedef {import('./server/start.js').Launch} Launch
 * @typedef {import('./server/start.js').Started} Started
 * @typedef {import('./server/start.js').Through} Through
 * @typedef {import('./servers.js').ServerFolder} ServerFolder
 * @typedef {import('./servers.js').StartOptions} StartOptions
 * @typedef {import('./session.js').Session} Session
 */
