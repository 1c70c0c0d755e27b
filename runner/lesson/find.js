import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../shared/errors.js'
import { isObject, nearest } from '../shared/rules.js'
import { workshopRoot } from '../shared/workshop.js'

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
 * All lessons in the recommended order, without importing them.
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
  const order = readOrder(root)
  const place = (/** @type {LessonEntry} */ { number }) => order.includes(number) ? order.indexOf(number) : order.length
  return entries.sort((a, b) => place(a) - place(b) || a.number - b.number || a.folder.localeCompare(b.folder))
}

/**
 * Numbers of lessons, as `lessons/order.json` recommends them; those that it doesn't name come last, by number.
 *
 * @param {string} root
 * @returns {number[]}
 * @throws {WorkshopError}
 */
function readOrder (root) {
  const file = path.join(root, 'lessons', 'order.json')
  try {
    const order = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : []
    if (Array.isArray(order)) return order
  } catch {}
  throw new WorkshopError(`${file} isn’t a list of lessons’ numbers, such as [1, 3, 2]. Correct it, or delete it.`)
}

/** The lessons of a folder that may have none. @param {string} root @returns {Promise<LessonEntry[]>} */
export async function lessonsBelow (root) {
  return fs.existsSync(path.join(root, 'lessons')) ? entriesAmong(await readFolder(root), root) : []
}

/** Learners start from lessons/NN-…/start where there is one, else from the slow server. @param {LessonEntry} entry */
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

/**
 * The folder that holds lessons/, slow-servers/ and solutions/: the workshop, or the lesson pack in
 * `MAKE_IT_FAST_LESSONS` (`--lessons` sets it).
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export function lessonsRoot (env = process.env) {
  return env.MAKE_IT_FAST_LESSONS ? path.resolve(env.MAKE_IT_FAST_LESSONS) : workshopRoot
}

/**
 * The folder for the learner's copies and results; `MAKE_IT_FAST_WORKSPACE` names another, for a read-only checkout.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string} [root]
 */
export function workspaceRoot (env = process.env, root = lessonsRoot(env)) {
  return env.MAKE_IT_FAST_WORKSPACE ? path.resolve(env.MAKE_IT_FAST_WORKSPACE) : path.join(root, 'workspace')
}

/** The format in the package.json of a lesson pack, under `make-it-fast`. */
export const packFormat = { formatVersion: 1 }

/**
 * A pack without a version is of the first one.
 *
 * @param {string} root of the pack
 * @throws {WorkshopError} its format isn't known, or its package.json can't be read
 */
export function requireKnownFormat (root) {
  const file = path.join(root, 'package.json')
  if (!fs.existsSync(file)) return
  const { formatVersion = 1 } = readObject(file)['make-it-fast'] ?? {}
  if (formatVersion === packFormat.formatVersion) return
  throw new WorkshopError(`${root} is a lesson pack of format ${JSON.stringify(formatVersion)}, and this workshop ` +
    `reads format ${packFormat.formatVersion}: update the workshop, or ask the pack's authors for one of that format.`)
}

/** @param {string} file */
function readObject (file) {
  try {
    const value = JSON.parse(fs.readFileSync(file, 'utf8'))
    if (isObject(value)) return value
  } catch (error) {
    throw new WorkshopError(`${file} can't be read: ${error.message}. Correct it, or remove it.`, { cause: error })
  }
  throw new WorkshopError(`${file} holds no JSON object. Correct it, or remove it.`)
}

/**
 * How much faster the reference solution was than the slow server on the project's machine: from the table in its
 * write-up, which `npm run measure lessons -- --write` makes.
 *
 * @param {Pick<LessonEntry, 'solutionDir'>} entry
 * @returns {Record<string, number>} ratio by gate; empty where nothing was measured
 */
export function referenceOf ({ solutionDir }) {
  try {
    const { rows } = measuredIn(fs.readFileSync(path.join(solutionDir, 'README.md'), 'utf8'))
    return Object.fromEntries(rows.map(({ gate, ratio }) => [gate, ratio]))
  } catch {
    return {}
  }
}

/**
 * @typedef {{ gate: string, slow: string, solution: string, ratio: number }} Measured figures with their unit
 *
 * @param {string} text of a write-up
 * @returns {{ rows: Measured[], where: string }} where: machine, version and date. Both may be empty
 */
export function measuredIn (text) {
  const [, measured = ''] = /<!-- measured -->([^]*?)<!-- \/measured -->/.exec(text) ?? []
  const rows = measured.matchAll(/^\| ([^|]+?) \| ([^|]+?) \| ([^|]+?) \| ([\d.]+)× \|$/gm)
  const [, where = ''] = /^Measured by the project: ([^]*?), the median/m.exec(measured) ?? []
  return {
    rows: [...rows].map(([, gate, slow, solution, ratio]) => ({ gate, slow, solution, ratio: Number(ratio) })),
    where
  }
}

/**
 * Finds a lesson by `lesson-3`, `3`, `03`, `03-in-memory-json` or `in-memory-json`, in any case, or by a path to one of
 * its folders, as the shell completes it.
 *
 * @param {string | undefined} name
 * @param {Parameters<typeof findLessons>[0]} [options]
 * @returns {Promise<LessonEntry>}
 * @throws {WorkshopError} no name, an unknown one (the message suggests others), or two lessons with this number
 */
export async function resolveLesson (name, options) {
  const entries = await findLessons(options)
  const asked = bare(name ?? '')
  if (asked === '') {
    throw new WorkshopError('Say which lesson, for example lesson-1: `npm run list` shows them all.')
  }
  const found = entries.filter((entry) => isNamed(entry, asked))
  if (found.length === 1) return found[0]
  if (found.length > 1) {
    const folders = found.map((entry) => entry.folder).join(' and ')
    throw new WorkshopError(`"${name}" could mean ${folders}: write the whole name of the folder.`)
  }
  throw new WorkshopError(`There is no lesson "${name}"${hintAt(asked, entries)} \`npm run list\` shows them all.`)
}

/** @param {string} name the last part of a path, without `lesson-` */
function bare (name) {
  const lastPart = name.trim().toLowerCase().split(/[\\/]/).filter(Boolean).at(-1) ?? ''
  return lastPart.replace(/^lessons?[-_ ]*(?=.)/, '')
}

/** @param {LessonEntry} entry @param {string} asked */
function isNamed (entry, asked) {
  return asked === entry.folder || asked === entry.id || (/^\d+$/.test(asked) && Number(asked) === entry.number)
}

/** @param {string} asked @param {LessonEntry[]} entries */
function hintAt (asked, entries) {
  // Understands "leson-3" as well.
  const [, word, digits] = /^(?:([a-z]+)[-_ ]*|-?)(\d+)$/.exec(asked) ?? []
  const isNumber = digits !== undefined && (word === undefined || nearest(word, ['lesson']).length > 0)
  const numbered = entries.filter((entry) => isNumber && isNamed(entry, digits))
  if (isNumber && numbered.length === 0) {
    return `: the lessons are ${entries[0].number} to ${entries[entries.length - 1].number}.`
  }
  // Without dashes, too, for "inmemory".
  const namesOf = new Map(entries.flatMap((entry) => [
    [entry.folder, entry], [entry.id, entry], [entry.id.replaceAll('-', ''), entry]
  ]))
  const near = isNumber
    ? numbered
    : nearest(asked, [...namesOf.keys()], { limit: 9 }).map((known) => namesOf.get(known))
  const suggestions = [...new Set(near)].slice(0, 3).map((entry) => `lesson-${entry?.number} (${entry?.id})`)
  return suggestions.length === 0 ? '.' : `: did you mean ${suggestions.join(' or ')}?`
}

/** The workshop's list, next to the slow servers: SHA-256 by folder. */
const fileName = 'fingerprints.json'

/**
 * Is the slow server the one that the workshop ships? Lessons that are not listed are not checked.
 *
 * @param {Pick<LessonEntry, 'slowDir'>} entry
 * @returns {string | null} what differs, a path relative to the folder of the slow servers
 */
export function firstForeign ({ slowDir }) {
  const [parent, folder] = [path.dirname(slowDir), path.basename(slowDir)]
  const known = readFingerprints(parent)
  if (known === null || known[folder] === undefined) return null
  // Node.js would use packages and settings next to the slow servers, too.
  const stranger = fs.readdirSync(parent).find((name) => name !== fileName && !Object.hasOwn(known, name) &&
    ['node_modules', 'package.json'].includes(name))
  if (stranger !== undefined) return stranger
  return fingerprintOf(slowDir) === known[folder] ? null : folder
}

/** @param {string} parent @returns {Record<string, string> | null} */
function readFingerprints (parent) {
  try {
    return JSON.parse(fs.readFileSync(path.join(parent, fileName), 'utf8'))
  } catch {
    return null
  }
}

/**
 * SHA-256 in hex, of the names and texts of all files, regardless of line endings. What is hidden doesn't count:
 * editors and systems leave it behind.
 *
 * @param {string} dir
 */
export function fingerprintOf (dir) {
  const hash = createHash('sha256')
  const files = fs.readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/(^|[\\/])\./.test(path.relative(dir, file)))
    .sort()
  for (const file of files) {
    const name = path.relative(dir, file).split(path.sep).join('/')
    const text = fs.lstatSync(file).isFile() ? fs.readFileSync(file, 'latin1').replaceAll('\r\n', '\n') : 'no file'
    hash.update(`${name}\0${text}\0`)
  }
  return hash.digest('hex')
}
