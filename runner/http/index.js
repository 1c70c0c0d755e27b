/** What our servers for browsers share: which requests they accept, the answers, and the frame of pages. */
export { answerRest } from './answer-rest.js'
export { assetRoutes, sendPicture } from './assets.js'
export { boundedServer } from './bounded-server.js'
export { frame } from './frame.js'
export { numberUpTo, oneOf, textUpTo } from './given.js'
export { guard, isApi, isEqual, namesOf } from './guard.js'
export { createKept } from './kept-text.js'
export { listen } from './listen.js'
export { readJson } from './read-json.js'
export { refuse } from './refuse.js'
export { createShare } from './share.js'
export { createStreams, eventText } from './streams.js'

/**
 * @typedef {import('./frame.js').Token} Token
 * @typedef {import('./guard.js').Allowed} Allowed
 * @typedef {import('./share.js').Share} Share
 */
