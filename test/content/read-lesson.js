import fs from 'node:fs'
import path from 'node:path'
import { Linter } from 'eslint'
import { findLessons } from '../../runner/lesson/index.js'
import { workshopRoot } from '../../runner/shared/workshop.js'
import { filesOf, readCases, readRight, submissionsOf } from '../submissions/apply.js'

/**
 * @import { RightCase } from '../submissions/apply.js'
 * @import { LoadedLesson } from '../../runner/lesson/index.js'
 *
 * @typedef {object} Surroundings what the words of a text may name
 * @property {(place: string) => boolean} has is there such a file or folder? Relative to the root, with slashes
 * @property {string[]} scripts of npm
 * @property {(code: string) => string | undefined} syntaxError
 * @property {ReadonlySet<string> | null} outside addresses that were looked at; null: no list is kept
 * @property {string | null} glossary Markdown
 *
 * @typedef {object} LessonFiles a lesson as its files tell it
 * @property {LoadedLesson} entry
 * @property {boolean} isShipped it is one of the workshop's own
 * @property {string | null} next folder of the lesson after it
 * @property {Map<string, string>} files texts and servers by place: `lessons/17-x/README.md`
 * @property {Submissions} submissions
 *
 * @typedef {object} Submissions
 * @property {Map<string, Map<string, string>>} right sources of each, by name
 * @property {{ name: string, files: string[] }[]} wrong
 * @property {string[]} strangers what else lies there
 * @property {string[]} problems why some cannot be read
 *
 * @typedef {LessonFiles & Surroundings} Content
 */

const source = /\.[cm]?[jt]s$|^package\.json$/

/** @param {LoadedLesson} entry @returns {Promise<Content>} */
export async function readLesson (entry) {
  const { folder, root } = entry
  const places = [
    `lessons/${folder}/README.md`,
    `lessons/${folder}/hints.md`,
    `slow-servers/${folder}/server.js`,
    `solutions/${folder}/README.md`,
    ...sourcesBelow(entry.solutionDir).map((name) => `solutions/${folder}/${name}`)
  ]
  const read = (/** @type {string} */ place) => fs.readFileSync(path.join(root, place), 'utf8')
  const { has, ...surroundings } = surroundingsOf(root)
  const folders = (await findLessons({ root })).map((lesson) => lesson.folder)
  return {
    entry,
    isShipped: root === workshopRoot,
    next: folders[folders.indexOf(folder) + 1] ?? null,
    files: new Map([...new Set(places)].filter(has).map((place) => [place, read(place)])),
    submissions: await readSubmissions(entry),
    has,
    ...surroundings
  }
}

/** @param {string} root @returns {Surroundings} */
export function surroundingsOf (root) {
  const scripts = [workshopRoot, root].flatMap((folder) => {
    const file = path.join(folder, 'package.json')
    return fs.existsSync(file) ? Object.keys(JSON.parse(fs.readFileSync(file, 'utf8')).scripts ?? {}) : []
  })
  const read = (/** @type {string} */ name) => {
    const file = path.join(root, 'docs', name)
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null
  }
  return {
    has: (place) => fs.existsSync(path.join(root, place)),
    scripts,
    syntaxError,
    outside: addressesIn(read('links.json')),
    glossary: read('glossary.md')
  }
}

/** @param {string | null} list JSON */
function addressesIn (list) {
  return list === null ? null : new Set(JSON.parse(list).map((/** @type {{ url: string }} */ { url }) => url))
}

/** @param {LoadedLesson} entry @returns {Promise<Submissions>} */
async function readSubmissions (entry) {
  const dir = submissionsOf(entry)
  const known = /^(valid-.*|base|right|right\.js|wrong|wrong\.js)$/
  const strangers = fs.existsSync(dir) ? fs.readdirSync(dir).filter((name) => !known.test(name)) : []
  /** @type {string[]} */
  const problems = []
  const readEach = async (/** @type {Promise<RightCase[]>} */ reading) => {
    const all = await reading.catch((error) => tell(error) ?? [])
    return all.flatMap((one) => {
      try {
        return { name: one.name, files: filesOf(one) }
      } catch (error) {
        return tell(error) ?? []
      }
    })
  }
  const tell = (/** @type {Error} */ { message }) => { if (!problems.includes(message)) problems.push(message) }
  const right = (await readEach(readRight(entry))).filter(({ name }) => name !== 'base')
  const wrong = await readEach(readCases(entry))
  return {
    right: new Map(right.map(({ name, files }) => [name, sourcesIn(files)])),
    wrong: wrong.map(({ name, files }) => ({ name, files: [...files.keys()] })),
    strangers,
    problems
  }
}

/** @param {Map<string, string | Buffer>} files */
function sourcesIn (files) {
  return new Map([...files].filter(([name]) => source.test(name)).map(([name, text]) => [name, String(text)]))
}

/** @param {string} dir @returns {string[]} with slashes */
function sourcesBelow (dir) {
  if (!fs.existsSync(dir)) return []
  return fs
    .readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => source.test(name))
    .map((name) => name.split(path.sep).join('/'))
}

/** Code in a text may be a part of a function or of an object: it has to parse as one of them. @param {string} code */
function syntaxError (code) {
  const linter = new Linter()
  const options = /** @type {const} */ ({
    languageOptions: {
      ecmaVersion: 'latest',
      sourceType: 'module',
      parserOptions: { ecmaFeatures: { globalReturn: true } }
    }
  })
  const tries = [
    code,
    `async function f () {\n${code}\n}`,
    `const o = {\n${code}\n}`,
    `const v = ${code}`,
    `const o = [\n${code}\n]`
  ]
  const fatal = tries.map((source) => linter.verify(source, [options]).find(({ fatal }) => fatal))
  return fatal.some((problem) => !problem) ? undefined : fatal[0]?.message
}
