import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { importLesson } from '../../runner/import-lesson.js'
import { workshopRoot } from '../../runner/workshop.js'

/**
 * A wrong submission is written down in NN-slug/wrong.js, as a change to a server that is there already. Here it
 * becomes files.
 *
 * @typedef {[search: string, replacement: string][] | string | null} FileChange pairs for a file of `on`; a string is
 *   the whole text of a file; null takes a file away
 * @typedef {Record<string, FileChange>} Change by the file's path, with slashes
 * @typedef {Map<string, string | Buffer>} Files by their paths, with slashes
 *
 * @typedef {object} Expected
 * @property {string} refusedBy contract, load or gate
 * @property {string | string[]} named
 * @property {Expected} [otherwise] the same fault, seen somewhere else
 *
 * @typedef {object} Wrong
 * @property {string} name
 * @property {string} [on] what is changed: `base` or `valid-…` beside wrong.js, or the lesson's `solution`, `slow` or
 *   `start`; without it the change holds whole files
 * @property {string} why
 * @property {Change} [change]
 * @property {string} [files] instead of a change that nobody could read: a folder beside wrong.js
 *
 * @typedef {Wrong & Expected & LessonPlace} WrongCase
 *
 * @typedef {{ folder: string, root?: string }} LessonPlace folder: `03-in-memory-json`; root: default the workshop's
 */

/**
 * Whole lines of a file. Their first column is two to the right of the closing backtick. \` and \${ stand for ` and ${,
 * and a backslash at the end joins a line that is too long with the next one.
 *
 * @param {TemplateStringsArray} strings
 */
export function lines ({ raw }) {
  const [first, ...rows] = raw[0].replace(/\\\n */g, '').split('\n')
  if (raw.length > 1) throw new Error(`lines: a \${ is written \\\${ here: ${raw[0]}`)
  const last = rows.pop() ?? ''
  if (first !== '' || last.trim() !== '') throw new Error(`lines: a backtick shares its line with text: ${raw[0]}`)
  const margin = last.length + 2
  const outside = rows.find((row) => row.slice(0, margin).trim() !== '')
  if (outside !== undefined) throw new Error(`lines: this begins left of its margin: ${outside}`)
  return rows.map((row) => `${row.slice(margin).replace(/\\(`|\$\{)/g, '$1')}\n`).join('')
}

/**
 * Every search is for the text as it was before, so the order of the pairs does not matter.
 *
 * @param {Files | Record<string, string | Buffer>} files are not touched
 * @param {Change} change
 * @param {string} [name] of the case, for errors
 * @returns {Files}
 * @throws {Error} a text that is not there exactly once, two that overlap, or a file that is not there
 */
export function applyChange (files, change, name = 'a change') {
  const before = files instanceof Map ? files : new Map(Object.entries(files))
  /** @type {Files} */
  const after = new Map(before)
  for (const [file, wanted] of Object.entries(change)) {
    const text = before.get(file)
    if (typeof wanted === 'string') after.set(file, wanted)
    else if (text === undefined) throw new Error(`${name}: there is no file ${file}`)
    else if (wanted === null) after.delete(file)
    else after.set(file, replaceAll(String(text), wanted, `${name}, ${file}`))
  }
  return after
}

/** @param {string} text @param {[search: string, replacement: string][]} pairs @param {string} place */
function replaceAll (text, pairs, place) {
  const found = pairs.map(([search, replacement]) => {
    const start = text.indexOf(search)
    if (search === '' || start === -1) throw new Error(`${place}: this text is not there:\n${search}`)
    if (text.includes(search, start + 1)) throw new Error(`${place}: this text is there more than once:\n${search}`)
    return { search, replacement, start }
  }).sort((a, b) => a.start - b.start)
  let result = ''
  let done = 0
  for (const { search, replacement, start } of found) {
    if (start < done) throw new Error(`${place}: this text overlaps with the one before:\n${search}`)
    result += text.slice(done, start) + replacement
    done = start + search.length
  }
  return result + text.slice(done)
}

/** Where the submissions of a lesson lie. @param {LessonPlace} lesson @returns {string} */
export function submissionsOf ({ folder, root = workshopRoot }) {
  return path.join(root, 'test', 'submissions', folder)
}

/**
 * @param {LessonPlace} lesson
 * @returns {Promise<WrongCase[]>} none for a lesson without a wrong.js
 */
export async function readCases ({ folder, root }) {
  const file = path.join(submissionsOf({ folder, root }), 'wrong.js')
  if (!fs.existsSync(file)) return []
  const { default: cases } = await importLesson(pathToFileURL(file).href)
  return cases.map((/** @type {Wrong & Expected} */ wrong) => ({ folder, root, ...wrong }))
}

/** @param {WrongCase} wrong @returns {Files} */
export function filesOf (wrong) {
  const { folder, name, files, change = {} } = wrong
  if (files !== undefined) return readFiles(path.join(submissionsOf(wrong), files))
  return applyChange(baseOf(wrong), change, `${folder}, ${name}`)
}

/** @param {WrongCase} wrong @returns {Files} what its change is made to */
export function baseOf ({ folder, root = workshopRoot, name, on }) {
  if (on === undefined) return new Map()
  if (/^(base$|valid-)/.test(on)) return readFiles(path.join(submissionsOf({ folder, root }), on))
  const places = { solution: `solutions/${folder}`, slow: `slow-servers/${folder}`, start: `lessons/${folder}/start` }
  const place = places[/** @type {keyof typeof places} */ (on)]
  if (!place) throw new Error(`${folder}, ${name}: on is ${on}, and not base, valid-…, solution, slow or start`)
  return readFiles(path.join(root, place))
}

/**
 * @param {WrongCase} wrong
 * @param {string} dir made when it is not there; nothing in it is removed
 */
export function writeCase (wrong, dir) {
  for (const [name, content] of filesOf(wrong)) {
    const file = path.join(dir, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content)
  }
}

/** The write-up of a solution is no part of its server. @param {string} dir @returns {Files} */
function readFiles (dir) {
  const files = fs.readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== 'README.md' && fs.statSync(path.join(dir, name)).isFile())
  return new Map(files.map((name) => [name.split(path.sep).join('/'), fs.readFileSync(path.join(dir, name))]))
}
