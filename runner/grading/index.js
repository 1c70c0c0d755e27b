export { grade, preview, stoppedSentence } from './grade.js'
