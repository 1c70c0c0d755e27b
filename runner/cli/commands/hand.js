import { findLessons, resolveLesson, workspaceRoot } from '../../lesson/index.js'
import { changeHand, hearRoom } from '../../seat/index.js'
import { nextRow, readRows } from '../../workspace/index.js'
import { say } from '../say.js'

/** @import { Flag, Given } from '../say.js' */

/** @type {Record<string, Flag>} */
export const options = { down: { type: 'boolean' } }

export const maxPositionals = 1

export const usage = 'npm run hand [lesson-N] [-- --down]'

export const help = `Raise your hand: your instructor sees that you'd like help, and with which lesson.
Without a lesson it's the one that \`npm run next\` shows. The browser has a button for it.

  --down   lower it again`

/** @param {Given} given */
export async function run ({ values, positionals, stdout, stderr, env }) {
  const isUp = values.down !== true
  const { id, number } = isUp ? await lessonFor(positionals[0], env, stderr) : { id: undefined, number: null }
  await changeHand(workspaceRoot(env), { isUp, lesson: id })
  const about = number === null ? '' : ` for lesson ${number}`
  say(stdout, isUp
    ? `Your hand is up${about}: the instructor sees it. \`npm run hand -- --down\` takes it back.`
    : 'Your hand is down.')
  return 0
}

/**
 * As `next` finds it.
 *
 * @param {string | undefined} name
 * @param {NodeJS.ProcessEnv} env
 * @param {Given['stderr']} stderr
 * @returns {Promise<{ id?: string, number: number | null }>} number null: all are passed
 */
async function lessonFor (name, env, stderr) {
  if (name !== undefined) return resolveLesson(name, { env })
  const rows = await readRows(await findLessons({ env }), stderr)
  const room = await hearRoom(workspaceRoot(env))
  const now = rows.find(({ id, state }) => id === room?.current?.lesson && state !== 'pass')
  return now ?? nextRow(rows) ?? { number: null }
}
