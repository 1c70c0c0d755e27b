import nodeFs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { startingPointOf } from '../lesson/index.js'
import { makeTemporary, sweepTemporary } from '../process/index.js'
import { exists, explainFsError, retryBusy } from './files.js'
import { noteStart } from './progress-file.js'
import { followNumber } from './results.js'

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

/** @typedef {typeof import('node:fs/promises')} Fs */

/**
 * Copies what the learner starts from into a temporary folder of the workspace, for the caller to rename: if it is
 * interrupted, nothing is left that looks like a learner's folder.
 *
 * @param {LessonEntry} entry
 * @param {Fs} fs
 * @returns {Promise<{ copy: string, remove: () => Promise<unknown> }>} remove: the temporary folder
 */
async function makeCopy (entry, fs) {
  const workspace = path.dirname(entry.workspaceDir)
  const prefix = `.making-${entry.folder}-`
  await fs.mkdir(workspace, { recursive: true })
  await sweepTemporary({ parent: workspace, prefix, fs })
  const original = await originalOf(entry, fs)
  const { dir, remove } = await makeTemporary({ parent: workspace, prefix, fs })
  try {
    const copy = path.join(dir, 'copy')
    await copyTree(original, copy, fs)
    return { copy, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/**
 * @param {LessonEntry} entry
 * @param {Fs} fs
 * @returns {Promise<string>}
 * @throws {WorkshopError} the slow server is gone
 */
async function originalOf (entry, fs) {
  const original = startingPointOf(entry)
  if (await exists(original, fs)) return original
  const shown = path.relative(entry.root, original)
  throw new WorkshopError(`${shown} is missing: \`git checkout -- ${shown}\` brings it back.`)
}

/**
 * The copies are writable even when the originals are not (a read-only checkout).
 *
 * @param {string} from
 * @param {string} to is created
 * @param {Fs} fs
 */
async function copyTree (from, to, fs) {
  await fs.mkdir(to, { recursive: true })
  for (const item of await fs.readdir(from, { withFileTypes: true })) {
    // There if a learner ran npm in the original folder: thousands of files.
    if (item.name === 'node_modules') continue
    const source = path.join(from, item.name)
    const target = path.join(to, item.name)
    if (item.isDirectory()) {
      await copyTree(source, target, fs)
    } else {
      await fs.copyFile(source, target)
      const { mode } = await fs.stat(target)
      await fs.chmod(target, mode | 0o600)
    }
  }
}

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
