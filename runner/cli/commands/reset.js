import { resolveLesson } from '../../lesson/index.js'
import { shownPath } from '../../shown-path.js'
import { keepCopy, resetCopy } from '../../workspace/index.js'

/** @import { Given } from '../main.js' */

export const options = { keep: { type: /** @type {const} */ ('boolean') } }

export const maxPositionals = 1

export const usage = 'npm run reset lesson-N [-- --keep]'

export const help = `Give me a fresh copy of the slow server.
What you have now is moved to workspace/backups, with the date in its name. Nothing is deleted.

  --keep   keep what I have, although the slow server has changed since I began`

/** @param {Given} given */
export async function run ({ values, positionals, stdout, env }) {
  const entry = await resolveLesson(positionals[0], { env })
  if (values.keep) {
    await keepCopy(entry)
    stdout.write(`Your copy of lesson ${entry.number} stays as it is.\n`)
    return 0
  }
  const { dir, backup } = await resetCopy(entry)
  if (backup) stdout.write(`Your old copy is kept in ${shownPath(backup)}\n`)
  stdout.write(`A fresh copy lies in ${shownPath(dir)}\n`)
  return 0
}
