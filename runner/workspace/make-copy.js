import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { startingPointOf } from '../lesson/index.js'
import { makeTemporary, sweepTemporary } from '../system/index.js'
import { copyTree } from './copy-tree.js'
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
