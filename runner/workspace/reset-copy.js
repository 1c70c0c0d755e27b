import nodeFs from 'node:fs/promises'
import path from 'node:path'
import { exists } from './exists.js'
import { explainFsError } from './fs-error-messages.js'
import { makeCopy } from './make-copy.js'
import { noteStart } from './note-start.js'
import { followNumber } from './migrate-folder-number.js'
import { retryBusy } from './retry.js'

/**
 * @import { WorkshopError } from '../errors.js'
 * @import { LessonEntry } from '../lesson/index.js'
 */

/**
 * Makes a fresh copy and moves the old one to workspace/backups, dated. No backup is ever overwritten.
 *
 * @param {LessonEntry} entry
 * @param {{ fs?: typeof nodeFs, now?: Date }} [options]
 * @returns {Promise<{ dir: string, backup: string | null }>} backup: null where there was no copy yet
 * @throws {WorkshopError} the workspace cannot be written; the old copy is still in place
 */
export async function resetCopy (entry, { fs = nodeFs, now = new Date() } = {}) {
  const dir = entry.workspaceDir
  const workspace = path.dirname(dir)
  try {
    await followNumber(entry, fs)
    // First, so that nothing has moved if it cannot be made.
    const { copy, remove } = await makeCopy(entry, fs)
    try {
      const backup = await exists(dir, fs) ? await moveToBackups(dir, now, fs) : null
      await replace(copy, { dir, backup, fs })
      await noteStart(entry, fs)
      return { dir, backup }
    } finally {
      await remove()
    }
  } catch (error) {
    throw explainFsError(error, workspace)
  }
}

/**
 * @param {string} dir
 * @param {Date} now
 * @param {typeof nodeFs} fs
 * @returns {Promise<string>} its new path
 */
async function moveToBackups (dir, now, fs) {
  const backups = path.join(path.dirname(dir), 'backups')
  await fs.mkdir(backups, { recursive: true })
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `-${number}`
    const backup = path.join(backups, `${path.basename(dir)}-${stampOf(now)}${suffix}`)
    if (await exists(backup, fs)) continue
    try {
      await retryBusy(() => fs.rename(dir, backup))
      return backup
    } catch (error) {
      // Another reset has just taken this name.
      if (!await exists(backup, fs) || !await exists(dir, fs)) throw error
    }
  }
}

/**
 * @param {string} copy
 * @param {{ dir: string, backup: string | null, fs: typeof nodeFs }} given
 */
async function replace (copy, { dir, backup, fs }) {
  try {
    await retryBusy(() => fs.rename(copy, dir))
  } catch (error) {
    if (backup && !await exists(dir, fs)) await fs.rename(backup, dir)
    throw error
  }
}

/** @param {Date} date @returns {string} local time, without the colons that Windows forbids */
function stampOf (date) {
  const two = (/** @type {number} */ part) => String(part).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join('-')}`
}
