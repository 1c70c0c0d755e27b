import { findLessons } from '../../lesson/index.js'
import { progressTable } from '../../report/index.js'
import { nextRow, readRows } from '../how-far.js'

/**
 * @import { LessonEntry } from '../../lesson/index.js'
 * @import { Row } from '../how-far.js'
 * @import { Given } from '../main.js'
 */

export const options = {}

export const maxPositionals = 0

export const usage = 'npm run list'

export const help = `Show all lessons and how far I am.
A lesson that has passed once stays passed; the ratio is that of its best pass.`

/** @param {Given} given */
export async function run ({ stdout, stderr, env }) {
  const entries = await findLessons({ env })
  const rows = await readRows(entries, stderr)
  stdout.write(`${progressTable(rows).trimEnd()}\n\n${nextStep(rows, entries)}\n`)
  return 0
}

/**
 * @param {Row[]} rows
 * @param {LessonEntry[]} entries
 * @returns {string}
 */
function nextStep (rows, entries) {
  const next = nextRow(rows)
  if (next === null) return `You have passed all ${rows.length} lessons.`
  if (next.state === 'not started') {
    const { folder } = entries[rows.indexOf(next)]
    return `Next: read lessons/${folder}/README.md, then npm run check lesson-${next.number}`
  }
  return `Next: npm run check lesson-${next.number}   (stuck? npm run hint lesson-${next.number})`
}
