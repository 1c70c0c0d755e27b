import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { importLesson, workshopRoot } from '../../runner/shared/workshop.js'

/**
 * A submission that shares much with another server is an overlay, a change to that server: a wrong one in
 * NN-slug/wrong.js, a right one in NN-slug/right.js. Any other right one is a folder. Here they become files.
 *
 * @typedef {[search: string, replacement: string][] | string | null} FileChange what `patch` makes for a file of `on`:
 *   pairs, where a line of … alone in a search matches any lines; a string is the whole text of a file; null takes a
 *   file away
 * @typedef {Record<string, FileChange>} Change by the file's path, with slashes
 * @typedef {Map<string, string | Buffer>} Files by their paths, with slashes
 *
 * What refuses it; without `by`, `load` and `gate`: any rule of an answer.
 *
 * @typedef {object} Expected
 * @property {string | string[]} [by] the rule, or the check, that alone sees it
 * @property {string | string[]} [load] a part of the sentence about an answer under load
 * @property {string | string[]} [gate] the gate that it does not pass
 * @property {Expected} [otherwise] the same fault, seen somewhere else
 * @property {boolean} [underLoad] only load shows it; default: it has `load`
 *
 * @typedef {object} Overlay
 * @property {string} name
 * @property {string | null} [on] what is changed: a right submission, `base` or `valid-…`, or the lesson's `solution`,
 *   `slow` or `start`; default: what its file exports as `on`; without any there are whole files only
 * @property {string} why it is refused, or worth having
 * @property {Change} [change]
 * @property {string} [files] a folder next to wrong.js, whose files are added or replace those of `on`
 *
 * @typedef {Overlay & LessonPlace & { right?: RightCase[] }} RightCase right: those that `on` may name
 * @typedef {RightCase & Expected} WrongCase
 *
 * @typedef {{ folder: string, root?: string }} LessonPlace folder: `03-in-memory-json`; root: default the workshop's
 */

/**
 * Whole lines of a file. Their first column is two to the right of the closing backtick. \` and \${ mean ` and ${,
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
 * What a unified diff without line numbers says. `@@` begins another place, `@@ FILE` another file than server.js; a
 * line -…, once per place, means any lines that go. Margin and escapes are those of `lines`.
 *
 * @param {TemplateStringsArray} strings
 * @returns {Record<string, [search: string, replacement: string][]>}
 */
export function patch (strings) {
  const text = lines(strings)
  /** @type {Record<string, [string, string][]>} */
  const change = {}
  let file = 'server.js'
  for (const place of (text.startsWith('@@') ? text : `@@\n${text}`).split(/^@@/m).slice(1)) {
    const [name, ...rows] = place.trimEnd().split('\n')
    file = name.trim() || file
    const unsigned = rows.find((row) => !/^([-+ ]|$)/.test(row))
    if (unsigned !== undefined) throw new Error(`patch: this row begins with none of -, + and space: ${unsigned}`)
    change[file] = [...change[file] ?? [], [without('+', rows), without('-', rows)]]
  }
  return change
}

/** @param {string} sign @param {string[]} rows */
function without (sign, rows) {
  return rows.filter((row) => !row.startsWith(sign)).map((row) => `${row.slice(1)}\n`).join('')
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
  const found = pairs.map(([search, replacement]) => ({ search, replacement, ...find(text, search, place) }))
  let result = ''
  let done = 0
  for (const { search, replacement, start, end } of found.sort((a, b) => a.start - b.start)) {
    if (start < done) throw new Error(`${place}: this text overlaps with the one before:\n${search}`)
    result += text.slice(done, start) + replacement
    done = end
  }
  return result + text.slice(done)
}

/** @param {string} text @param {string} search @param {string} place */
function find (text, search, place) {
  const [head, tail = ''] = search.split(/^ *…\n/m)
  const start = text.indexOf(head)
  const from = start + head.length
  // What follows a line of … begins a line itself.
  const last = tail === '' ? from : text.indexOf(`\n${tail}`, from - 1) + 1
  if (head === '' || start === -1 || last === 0) throw new Error(`${place}: this text is not there:\n${search}`)
  if (text.includes(head, start + 1)) throw new Error(`${place}: this text is there more than once:\n${search}`)
  return { start, end: last + tail.length }
}

/** Where the submissions of a lesson lie. @param {LessonPlace} lesson @returns {string} */
export function submissionsOf ({ folder, root = workshopRoot }) {
  return path.join(root, 'test', 'submissions', folder)
}

/**
 * The wrong ones.
 *
 * @param {LessonPlace} lesson
 * @returns {Promise<WrongCase[]>} none for a lesson without a wrong.js
 */
export async function readCases (lesson) {
  const right = await readRight(lesson)
  const wrong = /** @type {(Overlay & Expected)[]} */ (await readOverlays(lesson, 'wrong.js'))
  return wrong.map((one) => ({ ...placeOf(lesson), right, ...one }))
}

/**
 * The right ones: those of right.js, and the folders base and valid-….
 *
 * @param {LessonPlace} lesson
 * @returns {Promise<RightCase[]>} by their names
 */
export async function readRight (lesson) {
  const dir = submissionsOf(lesson)
  const folders = fs.existsSync(dir) ? fs.readdirSync(dir).filter((name) => /^(base$|valid-)/.test(name)) : []
  /** @type {RightCase[]} */
  const right = []
  const complete = folders.map((name) => ({ name, why: '', files: name }))
  for (const one of [...await readOverlays(lesson, 'right.js'), ...complete]) {
    right.push({ ...placeOf(lesson), right, ...one })
  }
  return right.sort((a, b) => a.name < b.name ? -1 : 1)
}

/** @param {LessonPlace} lesson @returns {LessonPlace} */
function placeOf ({ folder, root }) {
  return { folder, root }
}

/** @param {LessonPlace} lesson @param {string} name @returns {Promise<Overlay[]>} */
async function readOverlays (lesson, name) {
  const file = path.join(submissionsOf(lesson), name)
  if (!fs.existsSync(file)) return []
  const { default: overlays, on } = await importLesson(pathToFileURL(file).href)
  return overlays.map((/** @type {Overlay} */ overlay) => ({ on, ...overlay }))
}

/** @param {RightCase} overlay @returns {Files} */
export function filesOf (overlay) {
  const { folder, name, files, change = {} } = overlay
  const changed = applyChange(baseOf(overlay), change, `${folder}, ${name}`)
  return files === undefined ? changed : new Map([...changed, ...readFiles(path.join(submissionsOf(overlay), files))])
}

/** @param {RightCase} overlay @returns {Files} what its change is made to */
export function baseOf ({ folder, root = workshopRoot, name, on, right = [] }) {
  if (!on) return new Map()
  const below = right.find((other) => other.name === on)
  if (below) return filesOf(below)
  const places = { solution: `solutions/${folder}`, slow: `slow-servers/${folder}`, start: `lessons/${folder}/start` }
  const place = places[/** @type {keyof typeof places} */ (on)]
  if (!place) throw new Error(`${folder}, ${name}: on is ${on}, and not base, valid-…, solution, slow or start`)
  return readFiles(path.join(root, place))
}

/**
 * @param {RightCase} overlay
 * @param {string} dir made when it is not there; nothing in it is removed
 */
export function writeCase (overlay, dir) {
  for (const [name, content] of filesOf(overlay)) {
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
