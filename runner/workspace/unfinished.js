import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { fingerprintOf } from '../lesson/index.js'
import { readJson } from './read-json.js'
import { resultsFolder } from './results.js'
import { writeFileAtomic } from './write-file-atomic.js'

/**
 * The rounds of an inconclusive check, to be continued with the same code on the same Node.js.
 *
 * @import { LessonEntry } from '../lesson/index.js'
 */

/**
 * Never rejects: a verdict must not be lost because its rounds can't be kept.
 *
 * @param {LessonEntry} entry
 * @param {string} dir what was graded
 * @param {object | null} unfinished null: the check is settled
 */
export async function keepOrDrop (entry, dir, unfinished) {
  try {
    const file = fileOf(entry)
    if (unfinished === null) await fs.rm(file, { force: true })
    else await writeFileAtomic(file, `${JSON.stringify({ ...identityOf(entry, dir), unfinished })}\n`)
  } catch {}
}

/**
 * @param {LessonEntry} entry
 * @param {string} dir
 * @returns {Promise<any>} null: there is nothing to continue
 */
export async function readUnfinished (entry, dir) {
  const { value } = await readJson(fileOf(entry))
  const { unfinished = null, ...identity } = value ?? {}
  if (unfinished === null || !existsSync(dir)) return null
  return JSON.stringify(identity) === JSON.stringify(identityOf(entry, dir)) ? unfinished : null
}

/**
 * @param {LessonEntry} entry
 * @param {string} dir
 * @throws {WorkshopError} there is nothing to continue
 */
export async function requireUnfinished (entry, dir) {
  const unfinished = await readUnfinished(entry, dir)
  if (unfinished !== null) return unfinished
  throw new WorkshopError('There’s no undecided check of this code to go on with: ' +
    `npm run check lesson-${entry.number} begins one.`)
}

/** @param {LessonEntry} entry */
function fileOf (entry) {
  return path.join(resultsFolder(entry), `${entry.folder}.unfinished.json`)
}

/** @param {LessonEntry} entry @param {string} dir */
function identityOf ({ slowDir }, dir) {
  return {
    dir: path.resolve(dir),
    code: fingerprintOf(dir),
    slow: fingerprintOf(slowDir),
    node: process.version
  }
}
