import { createHash } from 'node:crypto'
import { isObject } from './rules.js'

/**
 * What a submission may hold, for its sender and its receiver: named texts, no archive. Pure.
 *
 * @typedef {{ path: string, text: string }} SubmittedFile path: below the submission's folder, with slashes
 */

const mostSubmittedBytes = 256 * 1024
const mostFiles = 100
const longestPath = 200
/** Windows has devices of these names in every folder. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/**
 * @param {unknown} files
 * @returns {string | null} a sentence: why it can't be submitted; null: they are `SubmittedFile[]`
 */
export function submissionProblem (files) {
  if (!Array.isArray(files) || files.length === 0) return 'There’s no file to submit.'
  if (files.length > mostFiles) return `That is ${files.length} files: a submission has ${mostFiles} at most.`
  const isText = (/** @type {any} */ file) =>
    isObject(file) && typeof file.path === 'string' && typeof file.text === 'string' && !file.text.includes('\0')
  if (!files.every(isText)) return 'A submission is a list of texts, each with its path.'
  const wrong = files.find(({ path }) => !isPath(path))
  if (wrong !== undefined) return `A file can’t be submitted under the name ${JSON.stringify(wrong.path)}: rename it.`
  const names = new Set(files.map(({ path }) => path.toLowerCase()))
  const isFolder = ({ path = '' }) =>
    foldersOf(path.toLowerCase()).some((folder) => names.has(folder))
  if (names.size < files.length || files.some(isFolder)) return 'Two files of a submission can’t have the same name.'
  const bytes = files.reduce((sum, { path, text }) => sum + Buffer.byteLength(path) + Buffer.byteLength(text), 0)
  return bytes <= mostSubmittedBytes
    ? null
    : `That is ${Math.ceil(bytes / 1024)} kB: a submission has ${mostSubmittedBytes / 1024} kB at most.`
}

/** @param {readonly SubmittedFile[]} files @returns {string} the same for the same files, in whatever order */
export function submissionHash (files) {
  const sorted = files.map(({ path, text }) => [path, text]).sort(([a], [b]) => a < b ? -1 : 1)
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex')
}

/** @param {string} path @returns {boolean} may it be written below a folder, on every system? */
function isPath (path) {
  return path.length <= longestPath && path.split('/').every((part) =>
    /^[^.\p{C}\\<>:"|?*][^\p{C}\\<>:"|?*]*$/u.test(part) && !/[. ]$/.test(part) && part !== 'node_modules' &&
    !devices.test(part))
}

/** @param {string} path @returns {string[]} `a/b/c` lies in `a` and `a/b` */
function foldersOf (path) {
  return path.split('/').slice(0, -1).map((_, at, parts) => parts.slice(0, at + 1).join('/'))
}
