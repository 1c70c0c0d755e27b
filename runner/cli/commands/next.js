import path from 'node:path'
import { timeLeft } from '../../format.js'
import { findLessons } from '../../lesson/index.js'
import { markdownText } from '../../report/index.js'
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

export const usage = 'npm run next'

export const help = `Show the lesson that comes next, and how to begin it.
That's the one you last worked on or, once you've passed it, the first after it that you haven't passed.
\`npm run list\` shows all.`

/** @param {Given} given */
export async function run ({ stdout, stderr, env }) {
  const [entry, ...entries] = await findLessons({ env })
  const rows = await readRows([entry, ...entries], stderr)
  const room = await hearRoom(path.dirname(entry.workspaceDir))
  const { text, id } = sayNext(rows, room?.current ?? null)
  stdout.write(`${await markdownText(text, { stream: stdout, dir: entry.root })}\n`)
  if (room !== null) say(stdout, ...saidBy(room.current?.lesson === id ? { ...room, current: null } : room, id))
  return 0
}

/**
 * @param {Row[]} rows
 * @param {RoomWord['current']} current
 * @returns {{ text: string, id?: string }} Markdown, and the lesson
 */
function sayNext (rows, current) {
  const now = rows.find(({ id, state }) => id === current?.lesson && state !== 'pass')
  const next = now ?? nextRow(rows)
  if (next === null) return { text: `You have passed all ${rows.length} lessons.` }
  const passed = rows.filter(({ state }) => state === 'pass').map(({ number }) => number)
  const done = passed.length === 0
    ? `You haven’t passed any of the ${rows.length} lessons yet.`
    : `You have passed ${passed.length} of ${rows.length} lessons: ${passed.join(', ')}.`
  const { id, number, title, summary } = next
  const head = now && current ? `Now in class, ${timeLeft(current)}` : 'Next'
  const lines = [done, `## ${head}: lesson ${number} · ${title}`, summary, far[next.state], commandsFor(next)]
  return { text: lines.join('\n\n'), id }
}

const far = {
  'not started': '',
  started: 'You have begun it, and it has no verdict yet.',
  fail: 'You have begun it: its last check failed.',
  inconclusive: 'You have begun it: its last check was inconclusive.',
  pass: ''
}

/** @param {Row} row @returns {string} a table without a head */
function commandsFor ({ number, state }) {
  const commands = state === 'not started'
    ? { read: 'what it is about', watch: 'makes your copy, and checks it on every save' }
    : {
        read: 'what it is about',
        watch: 'checks it on every save',
        diff: 'what you have changed',
        hint: 'when you are stuck'
      }
  const rows = Object.entries(commands).map(([name, does]) => `| \`npm run ${name} lesson-${number}\` | ${does} |`)
  return ['| | |', '|---|---|', ...rows].join('\n')
}
