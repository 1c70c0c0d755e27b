import { findLessons, loadLesson, resolveLesson } from '../../lesson/index.js'
import { nextRow, readProgress } from '../../workspace/index.js'
import { parseCommandLine } from '../parse.js'

/**
 * @import { LessonEntry } from '../../lesson/index.js'
 * @import { Flag, Given } from '../say.js'
 */

/** @type {Record<string, Flag>} */
export const options = { poll: { type: 'boolean' } }

export const maxPositionals = 1

export const stays = true

export const usage = 'npm run watch [lesson-N] [-- --poll]'

export const help = `Look at your server after every save: is every answer right, and about how fast is it?
Keys run the full check, the profiler, hints, the difference and the editor. Without a lesson it takes
the one that comes next.

  --poll   has no effect: files are checked several times a second anyway, so that a save is noticed on every
           file system, including network drives and Windows' drives under WSL

What you see after a save is one short round and no verdict: b runs the check that decides. Ctrl-C or q ends it.
Without a terminal it looks once after each save, and a line with a key's letter does what the key does.`

/** @param {Given} given */
export async function run (given) {
  const { positionals, env } = given
  const { watchLesson } = await import('../watch-lesson.js')
  const entries = await findLessons({ env })
  let found = positionals[0] === undefined ? await nextOf(entries, null) : await resolveLesson(positionals[0], { env })
  for (;;) {
    const entry = await loadLesson(found)
    const end = await watchLesson(entry, {
      given,
      run: (name, args, more) => runCommand(name, args, { ...given, ...more })
    })
    if (end === 'quit') return 0
    found = await nextOf(entries, found)
  }
}

/**
 * The next lesson; once all are passed, the one after `current`.
 *
 * @param {LessonEntry[]} entries
 * @param {LessonEntry | null} current
 * @returns {Promise<LessonEntry>}
 */
async function nextOf (entries, current) {
  const rows = await Promise.all(entries.map(async (entry) => ({ entry, ...await readProgress(entry) })))
  const at = entries.findIndex(({ id }) => id === current?.id)
  return nextRow(rows, { after: rows[at] })?.entry ?? entries[(at + 1) % entries.length]
}

/** @param {string} name @param {string[]} args @param {Given} given */
async function runCommand (name, args, given) {
  const { env, stdout, stderr } = given
  const commandsDir = new URL('./', import.meta.url)
  const { command, ...rest } = await parseCommandLine([name, ...args], { commandsDir, env, stdout, stderr })
  return command?.run({ ...given, ...rest })
}
