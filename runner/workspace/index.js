export { openCopy, resetCopy, watchChanges } from './copy.js'
export { findEditor, openInEditor } from './editor.js'
export { readJson, readTree, writeFileAtomic } from './files.js'
export { changeNotes, noteStart as keepCopy } from './progress-file.js'
export { nextRow, notYet, readRows, sayOutdated } from './lesson-rows.js'
export { keepOrDrop, readProgress, readUnfinished, requireUnfinished, resultsFolder, saveResult } from './results.js'
export { nameLesson, writeLesson } from './write-lesson.js'

/**
 * @typedef {import('./files.js').TreeFile} TreeFile
 * @typedef {import('./progress-file.js').Attempt} Attempt
 * @typedef {import('./progress-file.js').Prediction} Prediction
 * @typedef {import('./lesson-rows.js').Row} Row
 * @typedef {import('./write-lesson.js').NewLesson} NewLesson
 */
