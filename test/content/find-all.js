import fs from 'node:fs'
import path from 'node:path'
import { WorkshopError } from '../../runner/shared/errors.js'
import { loadLesson } from '../../runner/lesson/index.js'
import { formRules } from './form.js'
import { proposeLinks } from './glossary.js'
import { readLesson } from './read-lesson.js'
import { rules } from './rules.js'

/**
 * @import { LessonEntry } from '../../runner/lesson/index.js'
 * @import { Finding } from './rules.js'
 */

/**
 * Everything that is missing in these lessons.
 *
 * @param {LessonEntry[]} entries
 * @param {string} root of the workshop or pack
 * @returns {Promise<{ findings: Finding[], proposals: Finding[] }>} proposals: what could be better
 */
export async function findAll (entries, root) {
  const found = await Promise.all(entries.map(findIn))
  return {
    findings: [
      ...findStrays(entries.map(({ folder }) => folder), foldersOf(root)),
      ...found.flatMap(({ findings }) => findings)
    ],
    proposals: found.flatMap(({ proposals }) => proposals)
  }
}

/** @param {LessonEntry} entry @returns {Promise<{ findings: Finding[], proposals: Finding[] }>} */
async function findIn (entry) {
  try {
    const content = await readLesson(await loadLesson(entry))
    return {
      findings: [...rules, ...formRules].flatMap(({ find }) => find(content)),
      proposals: proposeLinks(content)
    }
  } catch (error) {
    if (!(error instanceof WorkshopError)) throw error
    // An incomplete lesson.js names each field on a separate line, with its file.
    const findings = error.message.split('\n').map((line) => {
      const [, place, what] = /^(lessons[\\/][^:]+?)(?:: | (?=cannot))(.+)$/.exec(line) ?? ['', entry.folder, line]
      return { place: place.replaceAll('\\', '/'), what }
    })
    return { findings, proposals: [] }
  }
}

/**
 * What can only be seen of all lessons together. Pure.
 *
 * @param {string[]} lessons names of folders: `17-cold-start`
 * @param {Record<string, string[]>} others the folders below slow-servers, solutions and test/submissions
 * @returns {Finding[]}
 */
export function findStrays (lessons, others) {
  const twins = (/** @type {(folder: string) => string} */ keyOf, /** @type {string} */ what) => {
    return lessons.flatMap((folder) => {
      const first = lessons.find((other) => keyOf(other) === keyOf(folder))
      return first === folder ? [] : [{ place: `lessons/${folder}`, what: `has the ${what} of ${first}: rename it.` }]
    })
  }
  return [
    ...twins((folder) => String(Number.parseInt(folder, 10)), 'number'),
    ...twins((folder) => folder.replace(/^\d+-/, ''), 'name'),
    ...Object.entries(others).flatMap(([parent, folders]) => folders.filter((folder) => !lessons.includes(folder))
      .map((folder) => ({ place: `${parent}/${folder}`, what: 'belongs to no lesson: name it like one, or move it.' })))
  ]
}

/** @param {string} root @returns {Record<string, string[]>} */
export function foldersOf (root) {
  const parents = ['slow-servers', 'solutions', 'test/submissions'].filter((one) => fs.existsSync(path.join(root, one)))
  return Object.fromEntries(parents.map((parent) => [
    parent,
    fs.readdirSync(path.join(root, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  ]))
}
