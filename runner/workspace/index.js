export { openCopy } from './open-copy.js'
export { resetCopy } from './reset-copy.js'
export { saveResult, readProgress } from './results.js'
export { readShownHints, saveShownHints } from './shown-hints.js'
export { writeLesson } from './write-lesson.js'
export { writeFileAtomic } from './write-file-atomic.js'

/** @typedef {import('./results.js').Progress} Progress */
