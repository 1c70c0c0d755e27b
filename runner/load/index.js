export * from './by-hand.js'
export { startGenerator } from './generator.js'

/**
 * @typedef {import('./by-hand.js').Loaded} Loaded
 * @typedef {import('./generator.js').Generator} Generator
 * @typedef {import('./generator.js').SentRequest} SentRequest
 * @typedef {import('./generator.js').SliceOrder} SliceOrder
 */
