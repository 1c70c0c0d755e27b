import fs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../shared/errors.js'
import { packFormat } from '../lesson/index.js'
import { makeTemporary, sweepTemporary } from '../process/index.js'
import { workshopRoot } from '../shared/workshop.js'
import { exists, retryBusy } from './files.js'

/**
 * @typedef {object} NewLesson the names of a new lesson
 * @property {number} number 17
 * @property {string} id `cold-start`
 * @property {string} folder `17-cold-start`
 * @property {string} title `Cold start`, to begin with
 */

/**
 * @param {object} given
 * @param {string | undefined} given.topic `cold-start`
 * @param {string | undefined} given.number value of the flag; default the next one
 * @param {string[]} given.folders of the existing lessons
 * @returns {NewLesson}
 * @throws {WorkshopError} an invalid name or number, or one that is taken
 */
export function nameLesson ({ topic, number: wanted, folders }) {
  const id = idOf(topic)
  const taken = new Map(folders.map((folder) => [Number.parseInt(folder, 10), folder]))
  const twin = folders.find((folder) => folder.replace(/^\d+-/, '') === id)
  if (twin) throw new WorkshopError(`There is a lesson ${twin} already: give the new one another name.`)
  const number = wanted === undefined ? Math.max(0, ...taken.keys()) + 1 : Number(wanted)
  if (!/^\d{1,4}$/.test(String(number)) || number === 0) {
    throw new WorkshopError(`--number takes a whole number from 1 to 9999, got ${wanted}.`)
  }
  if (taken.has(number)) {
    throw new WorkshopError(`Number ${number} is taken by ${taken.get(number)}: leave out --number for the next one.`)
  }
  const title = id[0].toUpperCase() + id.slice(1).replaceAll('-', ' ')
  return { number, id, folder: `${String(number).padStart(2, '0')}-${id}`, title }
}

/** @param {string} [topic] */
function idOf (topic = '') {
  if (topic === '') throw new WorkshopError('Say what it is about, for example: npm run new-lesson cold-start')
  const near = topic.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
  if (near === topic) return topic
  const example = near === '' ? '' : `, for example ${near}`
  throw new WorkshopError(`“${topic}” cannot name a lesson: use lower-case letters, digits and single dashes` +
    `${example}.`)
}

/** The template is a lesson itself. */
const template = path.join(workshopRoot, 'template')
const templateFolder = '00-my-topic'
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
      await copyRenamed(path.join(template, parent, templateFolder), placeOf(at), lesson)
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

/** A text or path of the template with the new lesson's names. Pure. @param {string} text @param {NewLesson} lesson */
export function renamed (text, { number, id, folder, title }) {
  /** @type {Record<string, string>} */
  const names = {
    [templateFolder]: folder,
    'my-topic': id,
    'My topic': title,
    'lesson-0': `lesson-${number}`,
    'lessons -- 0': `lessons -- ${number}`
  }
  return text.replace(new RegExp(`(${Object.keys(names).join('|')})\\b`, 'g'), (name) => names[name])
}
