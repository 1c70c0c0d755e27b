import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { WorkshopError } from '../shared/errors.js'
import { importLesson, workshopRoot } from '../shared/workshop.js'
import { rules } from '../shared/model-rules.js'
import { tellMissing } from './texts.js'
import { problemsOf } from './validate.js'

/**
 * @import { LessonEntry } from './find.js'
 * @import { Lesson } from './lesson.js'
 *
 * @typedef {LessonEntry & { lesson: Lesson, file: string }} LoadedLesson file: what the learner changes: `server.js`,
 *   or what the lesson's own check names
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
    // A lesson with its own check has neither checks nor loads.
    lesson: { contract: [], loads: {}, ...lesson, promises: await readPromises(entry) },
    file: lesson.check?.file ?? 'server.js'
  }
}

/**
 * What a list shows of a lesson. Where lesson.js spells it out, its text is read: importing it takes far longer.
 *
 * @param {LessonEntry} entry
 * @returns {Promise<{ title: string, summary: string, part: string }>}
 * @throws {WorkshopError} as `loadLesson`, where it has to be imported
 */
export async function readNames (entry) {
  const text = await readFile(path.join(entry.dir, 'lesson.js'), 'utf8').catch(() => '')
  const [, own = ''] = text.split(/^export default (?:form\()?\{$/m)
  const fields = own.matchAll(/^ {2}(title|summary|part):\s+('[^'\\\n]+'(?: \+\n\s+'[^'\\\n]+')*),$/gm)
  const spelled = new Map([...fields].map(([, name, text]) => [name, text.replace(/' \+\s+'/g, '').slice(1, -1)]))
  const isWhole = (own.match(/^ {2}(title|summary|part)\b/gm) ?? []).length === spelled.size
  const [title, summary, part = ''] = ['title', 'summary', 'part'].map((name) => spelled.get(name))
  if (isWhole && title !== undefined && summary !== undefined) return { title, summary, part }
  const { lesson } = await loadLesson(entry)
  return { title: lesson.title, summary: lesson.summary, part: lesson.part ?? '' }
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

/**
 * Every name that a check of a lesson can have in a record. Pure.
 *
 * @param {Pick<Lesson, 'contract' | 'operations' | 'check'>} lesson
 * @returns {string[]}
 */
export function checkNamesOf ({ contract = [], operations = {}, check }) {
  if (check !== undefined) return check.checks
  return [
    ...contract.map(({ name }) => name),
    ...Object.values(operations).flatMap(({ rule, effect }) => [rule, effect ?? []].flat()),
    ...Object.values(rules)
  ]
}
