import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { isObject } from './rules.js'
import { workshopRoot } from './workshop.js'

/**
 * Learners' machines and a room agree on this: what a room tells them, what a submission may hold, and what is sent.
 *
 * @typedef {{ text: string, sentAt: string }} Said by the instructor; sentAt: ISO 8601
 *
 * @typedef {{ until: string, minutes: number, minutesLeft: number }} Clock until: ISO 8601
 *
 * @typedef {object} RoomWord what the room tells a learner
 * @property {Said[]} messages as shown now, the newest last
 * @property {(Clock & { lesson: string }) | null} current the lesson that the class is at; lesson: id
 * @property {(Clock & { text: string }) | null} timer another countdown, such as a break
 * @property {{ id: string, number: number, isLocked: boolean, isRevealed: boolean }[]} lessons
 * @property {boolean} isHandUp the learner's
 * @property {Prediction | null} prediction null: there is nothing to predict now
 *
 * @typedef {object} Prediction
 * @property {string} lesson id
 * @property {string} gate what the ratio is of
 * @property {number | null} ratio what the learner has predicted
 * @property {boolean} isOpen they can still predict
 *
 * @typedef {{ path: string, text: string }} SubmittedFile a named text, no archive; path: below the submission's
 *   folder, with slashes
 */

/** What a room keeps of a seat's token, and an export names: it isn't enough to report. @param {string} token */
export function seatKey (token) {
  return createHash('sha256').update(token).digest('hex')
}

/** @returns {Promise<string>} Markdown: what is sent to a room, as docs/privacy.md says it */
export async function readWhatIsSent () {
  const text = await fs.readFile(path.join(workshopRoot, 'docs', 'privacy.md'), 'utf8')
  const [, section] = /^## What is sent\n+([^]*?)\n+## /m.exec(text) ?? []
  if (section === undefined) throw new Error('docs/privacy.md has no section “What is sent”')
  return section
}

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
