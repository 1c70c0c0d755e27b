import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { WorkshopError } from '../errors.js'
import { importLesson } from '../import-lesson.js'
import { rules } from '../model-rules.js'
import { workshopRoot } from '../workshop.js'
import { tellMissing } from './texts.js'
import { problemsOf } from './validate.js'

/**
 * @import { LessonEntry } from './find.js'
 * @import { Lesson } from './lesson.js'
 *
 * @typedef {LessonEntry & { lesson: Lesson, file: string }} LoadedLesson file: what the learner changes, `server.js` or
 *   `load.js`
 */

/**
 * Imports and validates a lesson.
 *
 * @param {LessonEntry} entry
 * @returns {Promise<LoadedLesson>}
 * @throws {WorkshopError} lesson.js is missing, cannot be imported or is not a lesson: names every field that is wrong
 */
export async function loadLesson (entry) {
  const file = path.join(entry.dir, 'lesson.js')
  const shown = path.relative(entry.root, file)
  await stat(file).catch((error) => tellMissing(error, shown))
  const lesson = await importDefault(file, shown, entry.root)
  const problems = problemsOf(lesson, entry)
  if (problems.length > 0) throw new WorkshopError(problems.map((problem) => `${shown}: ${problem}`).join('\n'))
  await stat(entry.slowDir).catch((error) => tellMissing(error, path.relative(entry.root, entry.slowDir)))
  return {
    ...entry,
    // A lesson about a load plan has neither checks nor loads.
    lesson: { contract: [], loads: {}, ...lesson, promises: await readPromises(entry) },
    file: lesson.kind === 'load plan' ? 'load.js' : 'server.js'
  }
}

/** @param {LessonEntry} entry @returns {Promise<Record<string, string>>} empty where the authors haven't written any */
async function readPromises ({ dir }) {
  try {
    return JSON.parse(await readFile(path.join(dir, 'promises.json'), 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return {}
    throw error
  }
}

/** @param {string} file @param {string} shown @param {string} root */
async function importDefault (file, shown, root) {
  try {
    const { default: lesson } = await importLesson(pathToFileURL(file).href)
    return lesson
  } catch (error) {
    const isPackage = error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes('Cannot find package')
    // The command line explains a missing package of the workshop.
    if (isPackage && root === workshopRoot) throw error
    const advice = isPackage ? `. Install it in ${root}.` : ''
    throw new WorkshopError(`${shown} cannot be imported: ${error.message}${advice}`, { cause: error })
  }
}

/** The checks in place of a contract if the learner writes a load plan. */
export const loadPlanChecks = {
  isPlan: 'is a load plan',
  shows: 'shows the rate of the server, and not that of the load',
  fits: 'fits into the time budget',
  right: 'measures right answers only'
}

/** Every name of a check in a record. Pure. @param {Pick<Lesson, 'contract' | 'operations' | 'kind'>} lesson */
export function checkNamesOf ({ contract = [], operations = {}, kind }) {
  if (kind === 'load plan') return Object.values(loadPlanChecks)
  return [
    ...contract.map(({ name }) => name),
    ...Object.values(operations).flatMap(({ rule, effect }) => [rule, effect ?? []].flat()),
    ...Object.values(rules)
  ]
}
