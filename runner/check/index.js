export { withOneServer } from './one-server.js'
export { runCheck } from './run-check.js'
export { newSeed } from './seed.js'
export { runSelfTest } from './self-test/index.js'
