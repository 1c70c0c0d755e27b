import nodeFs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { exists } from './exists.js'
import { explainFsError } from './fs-error-messages.js'
import { makeCopy } from './make-copy.js'
import { noteStart } from './note-start.js'
import { followNumber } from './migrate-folder-number.js'
import { retryBusy } from './retry.js'

/** @import { LessonEntry } from '../lesson/index.js' */

/**
 * The learner's copy of a lesson, made on first use. An existing one is never touched.
 *
 * @param {LessonEntry & { file: string }} entry file: what the learner changes
 * @param {{ fs?: typeof nodeFs }} [options]
 * @returns {Promise<{ dir: string, created: boolean }>}
 * @throws {WorkshopError} the workspace cannot be written, or the learner's file is gone
 */
export async function openCopy (entry, { fs = nodeFs } = {}) {
  try {
    await followNumber(entry, fs)
    if (!await exists(entry.workspaceDir, fs)) {
      const { copy, remove } = await makeCopy(entry, fs)
      const created = await moveIntoPlace(copy, entry.workspaceDir, fs).finally(remove)
      if (created) await noteStart(entry, fs)
      if (created) return { dir: entry.workspaceDir, created }
    }
    await requireFile(entry, fs)
    return { dir: entry.workspaceDir, created: false }
  } catch (error) {
    throw explainFsError(error, path.dirname(entry.workspaceDir))
  }
}

/**
 * @param {string} copy
 * @param {string} dir
 * @param {typeof nodeFs} fs
 * @returns {Promise<boolean>} false when another process was faster
 */
async function moveIntoPlace (copy, dir, fs) {
  try {
    await retryBusy(() => fs.rename(copy, dir))
    return true
  } catch (error) {
    if (await exists(dir, fs)) return false
    throw error
  }
}

/** @param {LessonEntry & { file: string }} entry @param {typeof nodeFs} fs */
async function requireFile ({ file, ...entry }, fs) {
  if (await exists(path.join(entry.workspaceDir, file), fs)) return
  throw new WorkshopError(`${path.join(entry.workspaceDir, file)} is missing: ` +
    `\`npm run reset lesson-${entry.number}\` makes a fresh copy and keeps what is there as a backup.`)
}
