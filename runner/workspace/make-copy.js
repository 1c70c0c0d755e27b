import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { copyTree } from './copy-tree.js'
import { exists } from './exists.js'

/** @typedef {import('../catalogue/find.js').LessonEntry} LessonEntry */
/** @typedef {typeof import('node:fs/promises')} Fs */

/**
 * Copies what the learner starts from into a temporary folder of the workspace. Renaming it is the caller's: a copy
 * that is interrupted leaves nothing that looks like a learner's folder.
 *
 * @param {LessonEntry} entry
 * @param {Fs} fs
 * @returns {Promise<string>} the temporary folder
 */
export async function makeCopy (entry, fs) {
  const workspace = path.dirname(entry.workspaceDir)
  await fs.mkdir(workspace, { recursive: true })
  await removeAbandoned(entry, fs)
  const original = await originalOf(entry, fs)
  const temporary = await fs.mkdtemp(path.join(workspace, prefixFor(entry)))
  try {
    await copyTree(original, temporary, fs)
    // mkdtemp makes a folder for its owner's eyes only.
    await fs.chmod(temporary, 0o755)
    return temporary
  } catch (error) {
    await removeTree(temporary, fs)
    throw error
  }
}

/**
 * lessons/NN/start where the lesson starts from something else than its slow server, else that server.
 *
 * @param {LessonEntry} entry
 * @param {Fs} fs
 * @returns {Promise<string>}
 * @throws {WorkshopError} the slow server is gone
 */
export async function originalOf (entry, fs) {
  const start = path.join(entry.dir, 'start')
  if (await exists(start, fs)) return start
  if (await exists(entry.slowDir, fs)) return entry.slowDir
  const shown = path.relative(entry.root, entry.slowDir)
  throw new WorkshopError(`${shown} is missing: \`git checkout -- ${shown}\` brings it back.`)
}

/** @param {string} dir @param {Fs} fs */
export async function removeTree (dir, fs) {
  await fs.rm(dir, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
}

/** @param {LessonEntry} entry */
function prefixFor (entry) {
  return `.making-${entry.folder}-`
}

const abandonedAfterMs = 600_000

/** What a killed process left. A young folder may be another process at work. @param {LessonEntry} entry @param {Fs} fs */
async function removeAbandoned (entry, fs) {
  const workspace = path.dirname(entry.workspaceDir)
  for (const name of await fs.readdir(workspace)) {
    if (!name.startsWith(prefixFor(entry))) continue
    const folder = path.join(workspace, name)
    const { mtimeMs } = await fs.stat(folder)
    if (Date.now() - mtimeMs > abandonedAfterMs) await removeTree(folder, fs)
  }
}
