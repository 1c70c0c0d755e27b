/** What our servers for browsers share: which requests they accept, the answers, and the frame of pages. */
export { guard, isApi, isEqual, namesOf, numberUpTo, oneOf, jsonBody, refuse, textUpTo } from './guard.js'
export { answerRest, assetRoutes, createKept, frame, sendPicture } from './pages.js'
export { createPartStream } from './parts.js'
export { boundedServer, createShare, listen } from './server.js'

/**
 * @typedef {import('./guard.js').Allowed} Allowed
 * @typedef {import('./pages.js').Token} Token
 * @typedef {import('./parts.js').PartStream} PartStream
 */
