export { openCopy } from './open-copy.js'
export { resetCopy } from './reset-copy.js'
export { saveResult, readProgress } from './results.js'
export { noteStart as keepCopy } from './note-start.js'
export { changeNotes } from './notes.js'
export { writeLesson } from './write-lesson.js'
export { writeFileAtomic } from './write-file-atomic.js'

/**
 * @typedef {import('./notes.js').Attempt} Attempt
 * @typedef {import('./results.js').Progress} Progress
 */
