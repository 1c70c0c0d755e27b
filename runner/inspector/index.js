export { connectInspector } from './connect.js'
export { readMemory } from './memory.js'
