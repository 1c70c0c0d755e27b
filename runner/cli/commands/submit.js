import { loadLesson, resolveLesson, workspaceRoot } from '../../lesson/index.js'
import { filesToSubmit, seatInRoom, submissionSentence, submitFiles } from '../../seat/index.js'
import { openCopy } from '../../workspace/index.js'
import { ask, say } from '../say.js'

/** @import { Flag, Given } from '../say.js' */

/** @type {Record<string, Flag>} */
export const options = { yes: { type: 'boolean' } }

export const maxPositionals = 1

export const usage = 'npm run submit lesson-N [-- --yes]'

export const help = `Hand in your server for a lesson: the class measures it again on its own machine.
Needs a seat in an instructor's room. It shows which files it sends before it asks. The same
command shows the result later.

  --yes   don't ask`

/** @param {Given} given */
export async function run ({ values, positionals, stdout, env, signal }) {
  const entry = await loadLesson(await resolveLesson(positionals[0], { env }))
  const workspace = workspaceRoot(env)
  await seatInRoom(workspace)
  const { dir } = await openCopy(entry)
  const files = await filesToSubmit(dir)
  say(stdout, `These files of ${entry.folder} go to the room:`)
  stdout.write(files.map(({ path, text }) => `  ${path}, ${Math.ceil(Buffer.byteLength(text) / 1024)} kB\n`).join(''))
  const unasked = 'You can’t be asked here: --yes says that you want to submit them.'
  if (!values.yes && !await ask('Submit them?', { stdout, signal, unasked })) {
    say(stdout, 'Nothing was sent.')
    return 1
  }
  const submitted = await submitFiles(workspace, { lesson: entry.id, files })
  say(stdout, submissionSentence(submitted))
  return 0
}
