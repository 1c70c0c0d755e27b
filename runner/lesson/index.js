export { checkNamesOf, loadPlanChecks } from './check-names.js'
export { findLessons, lessonsBelow, startingPointOf } from './find.js'
export { fingerprintOf, firstForeign } from './fingerprint.js'
export { loadLesson } from './load.js'
export { aimIn, effortIn, minutesToRead } from './minutes.js'
export { foldDetails, sectionsIn, withDetails } from './text-sections.js'
export { plainWords } from './passages.js'
export { findPromises } from './promises.js'
export { nameLesson, renamed, templateName } from './name-lesson.js'
export { packFormat } from './pack-format.js'
export { lessonsRoot, workspaceRoot } from './roots.js'
export { measuredIn, referenceOf } from './reference.js'
export { questionsIn } from './questions.js'
export { resolveLesson } from './resolve.js'
export { readHints, readText } from './texts.js'
export { readTimes, timesFile } from './times.js'
export * from './lesson.js'

/**
 * @typedef {import('./find.js').LessonEntry} LessonEntry
 * @typedef {import('./load.js').LoadedLesson} LoadedLesson
 * @typedef {import('./name-lesson.js').NewLesson} NewLesson
 * @typedef {import('./questions.js').QuestionGroup} QuestionGroup
 * @typedef {import('./reference.js').Measured} Measured
 * @typedef {import('./text-sections.js').Section} Section
 */
