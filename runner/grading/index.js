export { grade, stoppedSentence } from './grade.js'
export { preview } from './preview.js'
