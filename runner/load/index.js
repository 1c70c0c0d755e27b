export { benchOne, serveOne } from './by-hand.js'
export { startGenerator } from './start-generator.js'

/**
 * @typedef {import('./by-hand.js').ByHand} ByHand
 * @typedef {import('./by-hand.js').Figures} Figures
 * @typedef {import('./generator.js').SliceOrder} SliceOrder
 * @typedef {import('./start-generator.js').Generator} Generator
 */
