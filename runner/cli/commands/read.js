import path from 'node:path'
import { WorkshopError } from '../../errors.js'
import { foldDetails, readText, resolveLesson, sectionsIn } from '../../lesson/index.js'
import { markdownText } from '../../report/index.js'

/** @import { Flag, Given } from '../say.js' */

/** @type {Record<string, Flag>} */
export const options = { answers: { type: 'boolean' } }

export const maxPositionals = 2

export const usage = 'npm run read lesson-N [-- --answers [SECTION]]'

export const help = `Read a lesson's text here in the terminal.
Answers are folded, so that you can think first.
  --answers     the whole text, with all answers
  --answers 2   section 2 alone, with its answers
It's the file README.md in the lesson's folder under lessons/.`

/** @param {Given} given */
export async function run ({ values, positionals: [name, section], stdout, env }) {
  const entry = await resolveLesson(name, { env })
  const text = await readText(path.join(entry.dir, 'README.md'), entry)
  const command = `npm run read lesson-${entry.number} -- --answers`
  if (section !== undefined && !values.answers) {
    throw new WorkshopError(`One lesson at a time, got "${section}" as well. For one section: \`${command} 2\`.`)
  }
  const shown = section !== undefined
    ? sectionOf(text, section, command)
    : values.answers ? text : foldDetails(text, (number) => `${command} ${number}`.trimEnd())
  stdout.write(`${markdownText(shown, { stream: stdout, dir: entry.dir })}\n`)
  return 0
}

/** @param {string} text @param {string} number as it was given @param {string} command */
function sectionOf (text, number, command) {
  const found = sectionsIn(text).filter(({ title }) => /^\d+\. /.test(title))
  const section = found.find(({ title }) => title.startsWith(`${number}. `))
  if (section) return section.text
  const names = found.map(({ title }) => title.replace(/^(\d+)\. (.*)$/, '$1 ($2)')).join(', ')
  throw new WorkshopError(`There is no section "${number}" here${names && `: there are ${names}`}. ` +
    `All answers: \`${command}\`.`)
}
