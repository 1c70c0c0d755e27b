import path from 'node:path'
import { readText, resolveLesson } from '../../lesson/index.js'
import { markdownText } from '../../report/index.js'

/** @import { Given } from '../main.js' */

export const options = {}

export const maxPositionals = 1

export const usage = 'npm run read lesson-N'

export const help = `Read a lesson's text here in the terminal.
It is the file README.md in the lesson's folder under lessons/.`

/** @param {Given} given */
export async function run ({ positionals, stdout, env }) {
  const entry = await resolveLesson(positionals[0], { env })
  const text = await readText(path.join(entry.dir, 'README.md'), entry)
  stdout.write(`${await markdownText(text, { stream: stdout, dir: entry.dir })}\n`)
  return 0
}
