/** The second door, for modules of the pages: they need a browser. */
export { createAsk } from './browser/request.js'
export { whileSeen } from './browser/while-seen.js'
