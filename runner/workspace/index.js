export { openCopy, resetCopy, watchChanges } from './copy.js'
export { findEditor, openInEditor } from './editor.js'
export { readJson, readTree, writeFileAtomic } from './files.js'
export { nextRow, notYet, readRows, sayOutdated } from './lesson-rows.js'
export {
  changeNotes, keepOrDrop, noteStart as keepCopy, readProgress, readUnfinished, requireUnfinished, resultsFolder,
  saveResult
} from './results.js'
export { nameLesson, writeLesson } from './write-lesson.js'

/**
 * @typedef {import('./files.js').TreeFile} TreeFile
 * @typedef {import('./results.js').Prediction} Prediction
 * @typedef {import('./lesson-rows.js').Row} Row
 * @typedef {import('./write-lesson.js').NewLesson} NewLesson
 */
