import fs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { packFormat, renamed, templateName } from '../lesson/index.js'
import { makeTemporary, sweepTemporary } from '../process/index.js'
import { workshopRoot } from '../workshop.js'
import { exists, retryBusy } from './files.js'

/** @import { NewLesson } from '../lesson/index.js' */

const template = path.join(workshopRoot, 'template')
/** lessons/ comes last: until then the lesson isn't found. */
const parents = [path.join('test', 'submissions'), 'solutions', 'slow-servers', 'lessons']
/** Files of a new pack. */
const packFiles = {
  'package.json': `${JSON.stringify({ private: true, type: 'module', 'make-it-fast': packFormat }, null, 2)}\n`,
  '.gitignore': 'node_modules/\n/workspace/\n'
}

/**
 * Writes a small lesson that works at once: all of its folders, or none. Existing files are never touched.
 *
 * @param {NewLesson} lesson
 * @param {string} root the workshop or a pack, which is created if it is missing
 * @returns {Promise<string[]>} its folders
 * @throws {WorkshopError} one of them exists already, or cannot be written
 */
export async function writeLesson (lesson, root) {
  const folders = parents.map((parent) => path.join(root, parent, lesson.folder))
  try {
    for (const folder of folders) {
      if (await exists(folder)) throw new WorkshopError(`${folder} already exists: move it away.`)
    }
    for (const parent of parents) await fs.mkdir(path.join(root, parent), { recursive: true })
    await writeNextTo(lesson, root, folders)
    if (root !== workshopRoot) await beginPack(root)
    return folders.reverse()
  } catch (error) {
    if (error instanceof WorkshopError || !error.code) throw error
    throw new WorkshopError(`The lesson cannot be written to ${root} (${error.code}): give --lessons a folder of ` +
      'your own.', { cause: error })
  }
}

/** @param {NewLesson} lesson @param {string} root @param {string[]} folders */
async function writeNextTo (lesson, root, folders) {
  const prefix = '.new-lesson-'
  await sweepTemporary({ parent: root, prefix })
  const { dir, remove } = await makeTemporary({ parent: root, prefix })
  const placeOf = (/** @type {number} */ at) => path.join(dir, String(at))
  let moved = 0
  try {
    for (const [at, parent] of parents.entries()) {
      await copyRenamed(path.join(template, parent, templateName.folder), placeOf(at), lesson)
    }
    for (; moved < folders.length; moved++) await retryBusy(() => fs.rename(placeOf(moved), folders[moved]))
  } finally {
    if (moved < folders.length) while (moved-- > 0) await fs.rename(folders[moved], placeOf(moved))
    await remove()
  }
}

/** @param {string} from @param {string} to @param {NewLesson} lesson */
async function copyRenamed (from, to, lesson) {
  await fs.mkdir(to, { recursive: true })
  for (const item of await fs.readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, item.name), path.join(to, item.name)]
    if (item.isDirectory()) await copyRenamed(source, target, lesson)
    else await fs.writeFile(target, renamed(await fs.readFile(source, 'utf8'), lesson))
  }
}

/** @param {string} root */
async function beginPack (root) {
  for (const [name, text] of Object.entries(packFiles)) {
    await fs.writeFile(path.join(root, name), text, { flag: 'wx' }).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}
