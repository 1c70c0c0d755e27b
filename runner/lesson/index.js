export {
  findLessons, fingerprintOf, firstForeign, lessonsBelow, lessonsRoot, measuredIn, packFormat, referenceOf,
  resolveLesson, startingPointOf, workspaceRoot
} from './find.js'
// Types only.
export * from './lesson.js'
export { checkNamesOf, loadLesson, readNames } from './load.js'
export {
  aimIn, effortIn, foldDetails, questionsIn, readHints, readText, readTimes, sectionsIn, timesFile, withDetails
} from './texts.js'

/**
 * @typedef {import('../contract/index.js').Check} Check
 * @typedef {import('../contract/index.js').Operation} Operation
 * @typedef {import('../contract/index.js').Step} Step
 * @typedef {import('../shared/http-fields.js').Cookie} Cookie
 * @typedef {import('../judge/index.js').Gate} Gate
 * @typedef {import('../process/index.js').DataGiven} DataGiven
 * @typedef {import('../process/index.js').UpstreamOf} UpstreamOf
 * @typedef {import('../shared/random.js').Random} Random
 * @typedef {import('./find.js').LessonEntry} LessonEntry
 * @typedef {import('./load.js').LoadedLesson} LoadedLesson
 * @typedef {import('./texts.js').QuestionGroup} QuestionGroup
 * @typedef {import('./texts.js').Section} Section
 */
