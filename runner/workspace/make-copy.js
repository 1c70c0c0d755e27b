import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { startingPointOf } from '../lesson/index.js'
import { makeTemporary, sweepTemporary } from '../system/index.js'
import { exists } from './exists.js'

/** @import { LessonEntry } from '../lesson/index.js' */

/** @typedef {typeof import('node:fs/promises')} Fs */

/**
 * Copies what the learner starts from into a temporary folder of the workspace, for the caller to rename: if it is
 * interrupted, nothing is left that looks like a learner's folder.
 *
 * @param {LessonEntry} entry
 * @param {Fs} fs
 * @returns {Promise<{ copy: string, remove: () => Promise<unknown> }>} remove: the temporary folder
 */
export async function makeCopy (entry, fs) {
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
