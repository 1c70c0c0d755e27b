import { resolveLesson } from '../../lesson/index.js'
import { shownPath } from '../../shown-path.js'
import { keepCopy, readProgress, resetCopy } from '../../workspace/index.js'
import { say } from '../say.js'

/** @import { Flag, Given } from '../say.js' */

/** @type {Record<string, Flag>} */
export const options = { keep: { type: 'boolean' } }

export const maxPositionals = 1

export const usage = 'npm run reset lesson-N [-- --keep]'

export const help = `Get a fresh copy of the slow server.
What you have now is moved to workspace/backups, under a name with the date. Nothing is deleted.

  --keep   keep what you have, even though the slow server has changed since you began`

/** @param {Given} given */
export async function run ({ values, positionals, stdout, env }) {
  const entry = await resolveLesson(positionals[0], { env })
  const lesson = `lesson-${entry.number}`
  if ((await readProgress(entry)).state === 'not started') {
    say(stdout, `You haven’t begun ${lesson}, so there’s nothing to reset: npm run watch ${lesson}`)
    return 0
  }
  if (values.keep) {
    await keepCopy(entry)
    stdout.write(`Your copy of lesson ${entry.number} stays as it is.\n`)
    return 0
  }
  const { dir, backup } = await resetCopy(entry)
  if (backup) stdout.write(`Your old copy is kept in ${shownPath(backup)}\n`)
  stdout.write(`Your fresh copy is in ${shownPath(dir)}\n`)
  return 0
}
