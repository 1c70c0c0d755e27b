/** The second door, for modules of the pages: they need a browser. */
export { allOf, byId, clicked, readData } from './browser/dom.js'
export { createAsk } from './browser/request.js'
export { renewParts, show, showParts, showRows } from './browser/show.js'
export { whileSeen } from './browser/while-seen.js'

/** @typedef {import('./browser/request.js').Ask} Ask */
