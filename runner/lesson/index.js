export {
  findLessons, fingerprintOf, firstForeign, lessonsBelow, lessonsRoot, measuredIn, packFormat, referenceOf,
  resolveLesson, startingPointOf, workspaceRoot
} from './find.js'
export { checkNamesOf, loadLesson, readNames } from './load.js'
export {
  aimIn, effortIn, foldDetails, questionsIn, readHints, readText, readTimes, sectionsIn, timesFile,
  withDetails
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
 * @typedef {import('./lesson.js').Item} Item
 * @typedef {import('./lesson.js').Lesson} Lesson
 * @typedef {import('./lesson.js').Load} Load
 * @typedef {import('./lesson.js').LoadAnswer} LoadAnswer
 * @typedef {import('./lesson.js').Next} Next
 * @typedef {import('./lesson.js').OwnBench} OwnBench
 * @typedef {import('./lesson.js').OwnBenchGiven} OwnBenchGiven
 * @typedef {import('./lesson.js').OwnCheckGiven} OwnCheckGiven
 * @typedef {import('./lesson.js').OwnCheckResult} OwnCheckResult
 * @typedef {import('./lesson.js').OwnClock} OwnClock
 * @typedef {import('./lesson.js').SequenceOptions} SequenceOptions
 * @typedef {import('./lesson.js').Stream} Stream
 * @typedef {import('./load.js').LoadedLesson} LoadedLesson
 * @typedef {import('./texts.js').QuestionGroup} QuestionGroup
 * @typedef {import('./texts.js').Section} Section
 */
