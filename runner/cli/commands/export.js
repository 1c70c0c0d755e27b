import path from 'node:path'
import { findLessons, workspaceRoot } from '../../lesson/index.js'
import { exportText, seatForExport } from '../../seat/index.js'
import { shownPath } from '../../shown-path.js'
import { writeFileAtomic } from '../../workspace/index.js'
import { say } from '../say.js'

/** @import { Flag, Given } from '../say.js' */

/** @type {Flag} */
const text = { type: 'string' }

/** @type {Record<string, Flag>} */
export const options = { name: text, file: text }

export const maxPositionals = 0

export const usage = 'npm run export [-- --name "Ada"] [--file FILE]'

export const help = `Write your results into one file, for an instructor whose room you can't reach.
It holds the same figures that a room gets (docs/privacy.md), and no source code.

  --name NAME   the name your instructor knows you by, if you aren't in a room
  --file FILE   default workspace/results-for-the-room.json`

/** @param {Given} given */
export async function run ({ values, stdout, env }) {
  const workspace = workspaceRoot(env)
  const seat = await seatForExport(workspace, values.name)
  const { text, count } = await exportText({ seat, workspace, entries: await findLessons({ env }) })
  const file = values.file ?? path.join(workspace, 'results-for-the-room.json')
  await writeFileAtomic(file, text)
  const checks = count === 1 ? '1 check' : `${count} checks`
  say(stdout, `${checks} of ${seat.name}: ${shownPath(path.resolve(file))}`, 'Hand this file to your instructor.')
  return 0
}
