export { watchChanges } from './changes.js'
export { comparisonId, comparisonReport, keepComparison, readComparisons } from './comparisons.js'
export { findEditor, openInEditor } from './editor.js'
export { nextRow, readRows } from './progress.js'
export { openCopy } from './open-copy.js'
export { sayOutdated } from './outdated.js'
export { readJson } from './read-json.js'
export { readTree } from './read-tree.js'
export { resetCopy } from './reset-copy.js'
export { readProgress, resultsFolder, saveResult } from './results.js'
export { noteStart as keepCopy } from './note-start.js'
export { changeNotes } from './progress-file.js'
export { keepOrDrop, readUnfinished, requireUnfinished } from './unfinished.js'
export { notYet } from './solution-rule.js'
export { writeLesson } from './write-lesson.js'
export { writeFileAtomic } from './write-file-atomic.js'

/**
 * @typedef {import('./comparisons.js').Comparison} Comparison
 * @typedef {import('./comparisons.js').KeptComparison} KeptComparison
 * @typedef {import('./progress.js').Row} Row
 * @typedef {import('./progress-file.js').Attempt} Attempt
 * @typedef {import('./progress-file.js').Prediction} Prediction
 * @typedef {import('./read-tree.js').TreeFile} TreeFile
 */
