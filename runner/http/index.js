/** What servers of ours for browsers have in common: who may ask, and how they are answered. */
export { answerError } from './answer-error.js'
export { guard, isEqual, namesOf } from './guard.js'
export { listen } from './listen.js'
export { refuse } from './refuse.js'
export { createStreams, eventText } from './streams.js'

/**
 * @typedef {import('./guard.js').Allowed} Allowed
 * @typedef {import('./streams.js').Streams} Streams
 */
