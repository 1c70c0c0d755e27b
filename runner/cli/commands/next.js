import { findLessons } from '../../lesson/index.js'
import { sectionsText } from '../../report/index.js'
import { nextRow, readRows } from '../how-far.js'

/**
 * @import { Row } from '../how-far.js'
 * @import { Given } from '../main.js'
 */

export const options = {}

export const maxPositionals = 0

export const usage = 'npm run next'

export const help = `Show the lesson that comes now, and how to begin it.
A lesson that was begun comes before a new one. \`npm run list\` shows all.`

/** @param {Given} given */
export async function run ({ stdout, stderr, env }) {
  const rows = await readRows(await findLessons({ env }), stderr)
  const next = nextRow(rows)
  const passed = rows.filter(({ state }) => state === 'pass')
  const done = passed.length === 0
    ? `None of ${rows.length} lessons yet.`
    : `${passed.length} of ${rows.length} lessons: ${passed.map(({ number }) => number).join(', ')}.`
  const sections = next === null
    ? [{ title: 'Passed', text: [`All ${rows.length} lessons.`] }]
    : [{ title: 'Passed', text: [done] }, whatComes(next), { title: 'Commands', rows: commandsFor(next) }]
  stdout.write(`${sectionsText(sections, { stream: stdout })}\n`)
  return 0
}

/** @param {Row} row */
function whatComes ({ number, title, summary, state }) {
  const far = {
    'not started': '',
    started: 'You have begun it, and it has no verdict yet.',
    fail: 'You have begun it: its last check says fail.',
    inconclusive: 'You have begun it: its last check is inconclusive.',
    pass: ''
  }[state]
  return { title: 'Next', text: [`Lesson ${number} · ${title}`, summary, far].filter((text) => text !== '') }
}

/** @param {Row} row */
function commandsFor ({ number, state }) {
  const read = [`npm run read lesson-${number}`, 'what it is about']
  const check = (/** @type {string} */ what) => [`npm run check lesson-${number}`, what]
  if (state === 'not started') return [read, check('makes your copy, and grades it')]
  return [
    read,
    [`npm run diff lesson-${number}`, 'what you have changed'],
    check('grades it'),
    [`npm run hint lesson-${number}`, 'when you are stuck']
  ]
}
