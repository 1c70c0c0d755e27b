export * from './start-load.js'

/**
 * @typedef {import('./generator.js').SliceOrder} SliceOrder
 */
