import { workspaceRoot } from '../../lesson/index.js'
import { leaveRoom } from '../../seat/index.js'
import { say } from '../say.js'

/** @import { Flag, Given } from '../say.js' */

/** @type {Record<string, Flag>} */
export const options = { forget: { type: 'boolean' } }

export const maxPositionals = 0

export const usage = 'npm run leave [-- --forget]'

export const help = `Leave the room, which deletes your seat there, and everything that it knows about you.

  --forget   don't ask the room: only forget it here`

/** @param {Given} given */
export async function run ({ values, stdout, env }) {
  const forget = values.forget === true
  const wasIn = await leaveRoom(workspaceRoot(env), { forget })
  say(stdout, !wasIn
    ? 'You aren’t in a room, so there’s nothing to leave.'
    : forget
      ? 'The room is forgotten here. It still has all it knows about you.'
      : 'You have left. The room has deleted your seat and all its reports; your own results are as they were.')
  return 0
}
