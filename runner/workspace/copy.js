import fs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../shared/errors.js'
import { startingPointOf } from '../lesson/index.js'
import { makeTemporary, sweepTemporary } from '../process/index.js'
import { exists, explainFsError, retryBusy } from './files.js'
import { noteStart } from './results.js'

/** @import { LessonEntry } from '../lesson/index.js' */

/**
 * The learner's copy of a lesson, made on first use. An existing one is never touched.
 *
 * @param {LessonEntry & { file: string }} entry file: what the learner changes
 * @returns {Promise<{ dir: string, created: boolean }>}
 * @throws {WorkshopError} the workspace cannot be written, or the learner's file is gone
 */
export async function openCopy (entry) {
  try {
    if (!await exists(entry.workspaceDir)) {
      const { copy, remove } = await makeCopy(entry)
      const created = await moveIntoPlace(copy, entry.workspaceDir).finally(remove)
      if (created) await noteStart(entry)
      if (created) return { dir: entry.workspaceDir, created }
    }
    await requireFile(entry)
    return { dir: entry.workspaceDir, created: false }
  } catch (error) {
    throw explainFsError(error, path.dirname(entry.workspaceDir))
  }
}

/** @param {string} copy @param {string} dir @returns {Promise<boolean>} false when another process was faster */
async function moveIntoPlace (copy, dir) {
  try {
    await retryBusy(() => fs.rename(copy, dir))
    return true
  } catch (error) {
    if (await exists(dir)) return false
    throw error
  }
}

/** @param {LessonEntry & { file: string }} entry */
async function requireFile ({ file, ...entry }) {
  if (await exists(path.join(entry.workspaceDir, file))) return
  throw new WorkshopError(`${path.join(entry.workspaceDir, file)} is missing: ` +
    `\`npm run reset lesson-${entry.number}\` makes a fresh copy and keeps what is there as a backup.`)
}

/**
 * Copies what the learner starts from into a temporary folder of the workspace, for the caller to rename: if it is
 * interrupted, nothing is left that looks like a learner's folder.
 *
 * @param {LessonEntry} entry
 * @returns {Promise<{ copy: string, remove: () => Promise<unknown> }>} remove: the temporary folder
 */
async function makeCopy (entry) {
  const workspace = path.dirname(entry.workspaceDir)
  const prefix = `.making-${entry.folder}-`
  await fs.mkdir(workspace, { recursive: true })
  await sweepTemporary({ parent: workspace, prefix })
  const original = await originalOf(entry)
  const { dir, remove } = await makeTemporary({ parent: workspace, prefix })
  try {
    const copy = path.join(dir, 'copy')
    await copyTree(original, copy)
    return { copy, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** @param {LessonEntry} entry @returns {Promise<string>} @throws {WorkshopError} the slow server is gone */
async function originalOf (entry) {
  const original = startingPointOf(entry)
  if (await exists(original)) return original
  const shown = path.relative(entry.root, original)
  throw new WorkshopError(`${shown} is missing: \`git checkout -- ${shown}\` brings it back.`)
}

/** The copies are writable even when the originals aren't. @param {string} from @param {string} to is created */
async function copyTree (from, to) {
  await fs.mkdir(to, { recursive: true })
  for (const item of await fs.readdir(from, { withFileTypes: true })) {
    // There if a learner ran npm in the original folder: thousands of files.
    if (item.name === 'node_modules') continue
    const source = path.join(from, item.name)
    const target = path.join(to, item.name)
    if (item.isDirectory()) {
      await copyTree(source, target)
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
 * @param {{ now?: Date }} [options]
 * @returns {Promise<{ dir: string, backup: string | null }>} backup: null where there was no copy yet
 * @throws {WorkshopError} the workspace cannot be written; the old copy is still in place
 */
export async function resetCopy (entry, { now = new Date() } = {}) {
  const dir = entry.workspaceDir
  const workspace = path.dirname(dir)
  try {
    // First, so that nothing has moved if it cannot be made.
    const { copy, remove } = await makeCopy(entry)
    try {
      const backup = await exists(dir) ? await moveToBackups(dir, now) : null
      await replace(copy, dir, backup)
      await noteStart(entry)
      return { dir, backup }
    } finally {
      await remove()
    }
  } catch (error) {
    throw explainFsError(error, workspace)
  }
}

/** @param {string} dir @param {Date} now @returns {Promise<string>} its new path */
async function moveToBackups (dir, now) {
  const backups = path.join(path.dirname(dir), 'backups')
  await fs.mkdir(backups, { recursive: true })
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `-${number}`
    const backup = path.join(backups, `${path.basename(dir)}-${stampOf(now)}${suffix}`)
    if (await exists(backup)) continue
    try {
      await retryBusy(() => fs.rename(dir, backup))
      return backup
    } catch (error) {
      // Another reset has just taken this name.
      if (!await exists(backup) || !await exists(dir)) throw error
    }
  }
}

/** @param {string} copy @param {string} dir @param {string | null} backup */
async function replace (copy, dir, backup) {
  try {
    await retryBusy(() => fs.rename(copy, dir))
  } catch (error) {
    if (backup && !await exists(dir)) await fs.rename(backup, dir)
    throw error
  }
}

/** @param {Date} date @returns {string} local time, without the colons that Windows forbids */
function stampOf (date) {
  const two = (/** @type {number} */ part) => String(part).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join('-')}`
}

/**
 * Polling a handful of files costs a fraction of a millisecond, and sees what file system events miss: network drives,
 * Windows' drives under WSL, editors that save by renaming, a folder that is replaced as a whole.
 */
const lookEveryMs = 200

/** Each file's identity and version, by its path relative to the folder. @typedef {Map<string, string>} Snapshot */

/**
 * Reports each save in a folder once, when the folder has settled, since editors write in several steps.
 *
 * @param {object} given
 * @param {string} given.dir
 * @param {(file: string) => void} given.onChange the file that was changed, relative to the folder
 * @param {() => boolean} given.isRunning does a server of the folder run? What it writes, other than code, is no save
 * @returns {Promise<{ close: () => void }>} once it watches
 */
export async function watchChanges ({ dir, onChange, isRunning }) {
  let told = await takeSnapshot(dir)
  let before = told
  /** @type {NodeJS.Timeout} */
  let timer
  let isClosed = false
  const look = async () => {
    const now = await takeSnapshot(dir)
    if (isClosed) return
    const changed = now.size === 0 ? undefined : firstChange(told, now)
    if (changed !== undefined && firstChange(before, now) === undefined) {
      told = now
      if (!isRunning() || isCode(changed)) onChange(changed)
    }
    before = now
    timer = setTimeout(look, lookEveryMs)
  }
  timer = setTimeout(look, lookEveryMs)
  return {
    close: () => {
      isClosed = true
      clearTimeout(timer)
    }
  }
}

/**
 * A file that is new, gone or different. Code comes first: a server may write other files at any time. Pure.
 *
 * @param {Snapshot} before
 * @param {Snapshot} after
 */
export function firstChange (before, after) {
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const changed = names.filter((name) => before.get(name) !== after.get(name))
  return changed.find(isCode) ?? changed[0]
}

/** @param {string} dir @returns {Promise<Snapshot>} empty where the folder is missing or being replaced */
async function takeSnapshot (dir) {
  /** @type {Snapshot} */
  const snapshot = new Map()
  const visit = async (/** @type {string} */ folder) => {
    for (const item of await fs.readdir(path.join(dir, folder), { withFileTypes: true })) {
      if (isForeign(item.name)) continue
      const name = path.join(folder, item.name)
      if (item.isDirectory()) {
        await visit(name)
        continue
      }
      const { mtimeMs, size, ino } = await fs.stat(path.join(dir, name))
      snapshot.set(name, `${mtimeMs} ${size} ${ino}`)
    }
  }
  // A file that vanishes while it is read is seen by the next poll.
  return visit('').then(() => snapshot, () => new Map())
}

/** Packages, hidden files, and editors' backups. @param {string} name */
function isForeign (name) {
  return name === 'node_modules' || name.startsWith('.') || /~$|^#.*#$|^4913$/.test(name)
}

/** @param {string} file */
function isCode (file) {
  return /\.[cm]?js$/.test(file)
}
