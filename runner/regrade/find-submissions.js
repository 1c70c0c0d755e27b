import fs from 'node:fs'
import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { resolveLesson } from '../lesson/index.js'
import { shownPath } from '../shown-path.js'

/**
 * @import { LessonEntry } from '../lesson/index.js'
 *
 * @typedef {{ learner: string, entry: LessonEntry, dir: string }} Submission
 */

/**
 * The submissions of a folder: `DIR/ada/lesson-4`, and with a lesson also `DIR/ada` itself.
 *
 * @param {string} dir
 * @param {{ lesson?: LessonEntry, env: NodeJS.ProcessEnv, onUnreadable?: (sentence: string) => void }} options lesson:
 *   this one only
 * @returns {Promise<Submission[]>} by learner, then by lesson
 * @throws {WorkshopError} none found
 */
export async function findSubmissions (dir, { lesson, env, onUnreadable = () => {} }) {
  if (!fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory()) {
    throw new WorkshopError(`There is no folder ${shownPath(dir)}: name the one that holds a folder for each learner.`)
  }
  /** @type {Submission[]} */
  const found = []
  const readably = (/** @type {string} */ own) => {
    try {
      return foldersIn(own)
    } catch (error) {
      onUnreadable(`${shownPath(own)} can’t be read (${error.code}): nothing in it is graded.`)
      return []
    }
  }
  for (const learner of foldersIn(dir)) {
    const own = path.join(dir, learner)
    const below = await Promise.all(readably(own).map(async (name) => ({ name, entry: await lessonOf(name, env) })))
    const wanted = below.flatMap(({ name, entry }) =>
      entry && (lesson === undefined || entry.id === lesson.id) ? [{ learner, entry, dir: path.join(own, name) }] : [])
    if (wanted.length === 0 && lesson !== undefined) wanted.push({ learner, entry: lesson, dir: own })
    found.push(...wanted.sort((a, b) => a.entry.number - b.entry.number))
  }
  if (found.length > 0) return found
  throw new WorkshopError(`There are no submissions in ${shownPath(dir)}: they are looked for in ` +
    'DIR/LEARNER/lesson-4/, and with --lesson 4 in DIR/LEARNER/.')
}

/** Sorted, and no links. @param {string} dir */
function foldersIn (dir) {
  return fs.readdirSync(dir, { withFileTypes: true })
    .filter((item) => item.isDirectory() && !item.name.startsWith('.'))
    .map(({ name }) => name)
    .sort()
}

/** @param {string} name @param {NodeJS.ProcessEnv} env @returns {Promise<LessonEntry | null>} null: it names none */
function lessonOf (name, env) {
  return resolveLesson(name, { env }).catch((error) => {
    if (error instanceof WorkshopError) return null
    throw error
  })
}
