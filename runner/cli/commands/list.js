import { findLessons, workspaceRoot } from '../../lesson/index.js'
import { progressTable } from '../../report/index.js'
import { hearRoom, saidBy } from '../../seat/index.js'
import { nextRow, readRows } from '../../workspace/index.js'
import { say } from '../say.js'

/**
 * @import { RoomWord } from '../../seat-and-room.js'
 * @import { Row } from '../../workspace/index.js'
 * @import { Given } from '../say.js'
 */

export const options = {}

export const maxPositionals = 0

export const usage = 'npm run list'

export const help = `Show all lessons, and how far you are.
A lesson that you've passed stays passed. The ratio is that of your best pass, share compares it with the
reference solution's as the project measured it, and checks counts your attempts.`

/** @param {Given} given */
export async function run ({ stdout, stderr, env }) {
  const entries = await findLessons({ env })
  const rows = await readRows(entries, stderr)
  stdout.write(`${progressTable(rows, { stream: stdout }).trimEnd()}\n\n`)
  say(stdout, ...nextSteps(rows))
  const room = await hearRoom(workspaceRoot(env))
  if (room !== null) say(stdout, ...saidBy(room), ...locksIn(room))
  return 0
}

/** @param {RoomWord} room @returns {string[]} sentences */
function locksIn ({ lessons }) {
  const locked = lessons.filter(({ isLocked }) => isLocked).map(({ number }) => number).join(', ')
  const revealed = lessons.filter(({ isRevealed }) => isRevealed).map(({ number }) => number).join(', ')
  return [
    ...locked === '' ? [] : [`Not opened by the instructor yet: ${locked}.`],
    ...revealed === '' ? [] : [`Now for all: the solutions of ${revealed}. \`npm run solution lesson-N -- --anyway\``]
  ]
}

/** @param {Row[]} rows @returns {string[]} short lines, so that no command is broken */
function nextSteps (rows) {
  const next = nextRow(rows)
  if (next === null) return [`You have passed all ${rows.length} lessons.`]
  const { number, state } = next
  return state === 'not started'
    ? [`Next: npm run read lesson-${number}`, `Then: npm run watch lesson-${number}`]
    : [`Next: npm run watch lesson-${number}`, `Stuck? npm run hint lesson-${number}`]
}
