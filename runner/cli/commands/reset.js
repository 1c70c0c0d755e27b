import { resolveLesson } from '../../lesson/index.js'
import { shownPath } from '../../shown-path.js'
import { resetCopy } from '../../workspace/index.js'

/** @import { Given } from '../main.js' */

export const options = {}

export const maxPositionals = 1

export const usage = 'npm run reset lesson-N'

export const help = `Give me a fresh copy of the slow server.
What you have now is moved to workspace/backups, with the date in its name. Nothing is deleted.`

/** @param {Given} given */
export async function run ({ positionals, stdout, env }) {
  const entry = await resolveLesson(positionals[0], { env })
  const { dir, backup } = await resetCopy(entry)
  if (backup) stdout.write(`Your old copy is kept in ${shownPath(backup)}\n`)
  stdout.write(`A fresh copy lies in ${shownPath(dir)}\n`)
  return 0
}
