import path from 'node:path'
import { findLessons, loadLesson } from '../../lesson/index.js'
import { progressTable } from '../../report/index.js'
import { shownPath } from '../../shown-path.js'
import { readProgress } from '../../workspace/index.js'

/**
 * @import { LessonEntry } from '../../lesson/index.js'
 * @import { Given, Output } from '../main.js'
 * @import { Progress } from '../../workspace/index.js'
 */

export const options = {}

export const maxPositionals = 0

export const usage = 'npm run list'

export const help = `Show all lessons and how far I am.
A lesson that has passed once stays passed; the ratio is that of its best pass.`

/** @param {Given} given */
export async function run ({ stdout, stderr, env }) {
  const entries = await findLessons({ env })
  const rows = await Promise.all(entries.map((entry) => rowOf(entry, stderr)))
  stdout.write(`${progressTable(rows).trimEnd()}\n\n${nextStep(rows, entries)}\n`)
  return 0
}

/**
 * @typedef {object} Row
 * @property {number} number
 * @property {string} id
 * @property {string} title
 * @property {Progress['state']} state
 * @property {number | null} ratio
 * @property {string | null} when ISO 8601
 */

/**
 * @param {LessonEntry} entry
 * @param {Output} stderr
 * @returns {Promise<Row>}
 */
async function rowOf (entry, stderr) {
  const { state, ratio, when, unreadable } = await readProgress(entry)
  for (const file of unreadable) {
    stderr.write(`${shownPath(file)} cannot be read: ` +
      `\`npm run check lesson-${entry.number}\` makes a new one.\n`)
  }
  return { number: entry.number, id: entry.id, title: await titleOf(entry, stderr), state, ratio, when }
}

/** One broken lesson does not hide the others. @param {LessonEntry} entry @param {Output} stderr */
async function titleOf (entry, stderr) {
  try {
    const { lesson } = await loadLesson(entry)
    return lesson.title
  } catch (error) {
    stderr.write(`${error.message}\n`)
    return entry.id
  }
}

/**
 * @param {Row[]} rows
 * @param {LessonEntry[]} entries
 * @returns {string}
 */
function nextStep (rows, entries) {
  const begun = rows.filter((row) => row.state !== 'pass' && row.state !== 'not started')
  // What was touched last comes first; a copy without a result has no date.
  const [current] = begun.sort((a, b) => (b.when ?? '').localeCompare(a.when ?? ''))
  if (current) {
    return `Next: npm run check lesson-${current.number}   (stuck? npm run hint lesson-${current.number})`
  }
  const index = rows.findIndex((row) => row.state === 'not started')
  if (index === -1) return `You have passed all ${rows.length} lessons.`
  const text = shownPath(path.join(entries[index].dir, 'README.md'))
  return `Next: read ${text}, then npm run check lesson-${rows[index].number}`
}
