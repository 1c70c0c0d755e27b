import fs from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { workshopRoot } from '../workshop.js'
import { requireKnownFormat } from './pack-format.js'
import { lessonsRoot, workspaceRoot } from './roots.js'

/**
 * Where a lesson is, known from the names of folders alone; `loadLesson` adds the lesson itself.
 *
 * @typedef {object} LessonEntry
 * @property {number} number 3
 * @property {string} id `in-memory-json`
 * @property {string} folder `03-in-memory-json`
 * @property {string} root the workshop, or a lesson pack
 * @property {string} dir lessons/03-in-memory-json
 * @property {string} slowDir slow-servers/03-in-memory-json
 * @property {string} solutionDir solutions/03-in-memory-json
 * @property {string} workspaceDir the learner's copy; may not exist yet
 */

/**
 * All lessons by number, without importing them.
 *
 * @param {object} [options]
 * @param {string} [options.root] default: the workshop, or `MAKE_IT_FAST_LESSONS`
 * @param {NodeJS.ProcessEnv} [options.env]
 * @returns {Promise<LessonEntry[]>}
 * @throws {WorkshopError} there are no lessons, or they are a pack of a format that this workshop doesn't know
 */
export async function findLessons ({ env = process.env, root = lessonsRoot(env) } = {}) {
  if (root !== workshopRoot) requireKnownFormat(root)
  const entries = entriesAmong(await readFolder(root), root, env)
  if (entries.length === 0) {
    throw new WorkshopError(`There is no lesson in ${path.join(root, 'lessons')}: ${adviceFor(root)}`)
  }
  return entries.sort((a, b) => a.number - b.number || a.folder.localeCompare(b.folder))
}

/**
 * The same, or an empty list.
 *
 * @param {string} root
 * @returns {Promise<LessonEntry[]>}
 */
export async function lessonsBelow (root) {
  return fs.existsSync(path.join(root, 'lessons')) ? entriesAmong(await readFolder(root), root) : []
}

/**
 * What learners start from: lessons/NN-…/start where there is one, else the slow server.
 *
 * @param {LessonEntry} entry
 */
export function startingPointOf ({ dir, slowDir }) {
  const start = path.join(dir, 'start')
  return fs.existsSync(start) ? start : slowDir
}

/** @param {string} root */
async function readFolder (root) {
  const lessonsDir = path.join(root, 'lessons')
  try {
    const found = await readdir(lessonsDir, { withFileTypes: true })
    return found.filter((item) => item.isDirectory()).map((item) => item.name)
  } catch (error) {
    const kind = fs.statSync(root, { throwIfNoEntry: false })
    const fault = !kind
      ? `There is no folder ${root}`
      : kind.isDirectory() ? `The folder ${lessonsDir} cannot be read (${error.code})` : `${root} is a file`
    throw new WorkshopError(`${fault}: ${adviceFor(root)}`, { cause: error })
  }
}

/** @param {string[]} names @param {string} root @param {NodeJS.ProcessEnv} [env] @returns {LessonEntry[]} */
function entriesAmong (names, root, env = process.env) {
  return names.flatMap((folder) => {
    const [, number, id] = /^(\d{2,})-([a-z0-9]+(?:-[a-z0-9]+)*)$/.exec(folder) ?? []
    if (id === undefined) return []
    return {
      number: Number(number),
      id,
      folder,
      root,
      dir: path.join(root, 'lessons', folder),
      slowDir: path.join(root, 'slow-servers', folder),
      solutionDir: path.join(root, 'solutions', folder),
      workspaceDir: path.join(workspaceRoot(env, root), folder)
    }
  })
}

/** @param {string} root */
function adviceFor (root) {
  return root === workshopRoot
    ? 'run the command in a complete checkout of the workshop.'
    : '--lessons or MAKE_IT_FAST_LESSONS names the folder that holds lessons/, slow-servers/ and solutions/, and ' +
      '`npm run new-lesson my-topic -- --lessons DIR` begins one.'
}
