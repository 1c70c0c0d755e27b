export { openHub } from './hub.js'
