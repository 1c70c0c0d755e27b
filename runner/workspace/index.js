export { watchChanges } from './changes.js'
export { openCopy, resetCopy } from './copy.js'
export { findEditor, openInEditor } from './editor.js'
export { readJson, readTree, writeFileAtomic } from './files.js'
export { changeNotes, noteStart as keepCopy } from './progress-file.js'
export { nextRow, notYet, readRows, sayOutdated } from './progress.js'
export { keepOrDrop, readProgress, readUnfinished, requireUnfinished, resultsFolder, saveResult } from './results.js'
export { writeLesson } from './write-lesson.js'

/**
 * @typedef {import('./files.js').TreeFile} TreeFile
 * @typedef {import('./progress-file.js').Attempt} Attempt
 * @typedef {import('./progress-file.js').Prediction} Prediction
 * @typedef {import('./progress.js').Row} Row
 */
