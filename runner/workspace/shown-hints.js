import path from 'node:path'
import { readJson } from './read-json.js'
import { writeFileAtomic } from './write-file-atomic.js'

/**
 * @import { WorkshopError } from '../errors.js'
 * @import { LessonEntry } from '../lesson/index.js'
 */

/**
 * @param {LessonEntry} entry
 * @returns {Promise<number>} how many hints of this lesson the learner has seen; 0 when nobody remembers
 */
export async function readShownHints (entry) {
  const shown = (await readAll(entry))[entry.id]
  return Number.isInteger(shown) && shown > 0 ? shown : 0
}

/**
 * @param {LessonEntry} entry
 * @param {number} shown
 * @throws {WorkshopError} the workspace cannot be written
 */
export async function saveShownHints (entry, shown) {
  const all = { ...await readAll(entry), [entry.id]: shown }
  await writeFileAtomic(fileOf(entry), `${JSON.stringify(all, null, 2)}\n`)
}

/** @param {LessonEntry} entry */
function fileOf (entry) {
  return path.join(path.dirname(entry.workspaceDir), 'hints.json')
}

/** @param {LessonEntry} entry @returns {Promise<Record<string, any>>} */
async function readAll (entry) {
  const { value } = await readJson(fileOf(entry))
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}
