import path from 'node:path'
import { loadLesson, readHints, readText, resolveLesson } from '../../lesson/index.js'
import { filesText, markdownText } from '../../report/index.js'
import { changeNotes, notYet, readProgress, readTree } from '../../workspace/index.js'

/** @import { Flag, Given } from '../say.js' */

/** @type {Record<string, Flag>} */
export const options = { anyway: { type: 'boolean' } }

export const maxPositionals = 1

export const usage = 'npm run solution lesson-N [-- --anyway]'

export const help = `Show the reference solution: its code, and why it's written that way.
You see it once you've passed the lesson.
  --anyway   show it before that`

/** @param {Given} given */
export async function run ({ values, positionals, stdout, env }) {
  const entry = await loadLesson(await resolveLesson(positionals[0], { env }))
  const { solutionDir: dir } = entry
  const say = (/** @type {string} */ markdown) => {
    stdout.write(`${markdownText(markdown, { stream: stdout, dir })}\n`)
  }
  const command = `npm run solution lesson-${entry.number}`
  const refusal = notYet(entry, await readProgress(entry), {
    command,
    hints: (await readHints(entry)).length
  })
  if (refusal !== null && !values.anyway) {
    say(refusal)
    return 0
  }
  // A failure does no harm.
  if (refusal !== null) await changeNotes(entry, () => ({ solutionShown: new Date().toISOString() })).catch(() => {})
  const files = await readTree(dir, { first: entry.file })
  files.delete('README.md')
  const text = await readText(path.join(dir, 'README.md'), entry)
  stdout.write(`${filesText({ dir, files }, { stream: stdout })}\n\n`)
  const anyway = values.anyway ? ' -- --anyway' : ''
  say(`${text}\n\nCompare it with yours: \`npm run diff lesson-${entry.number} solution${anyway}\``)
  return 0
}
