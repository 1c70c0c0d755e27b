import path from 'node:path'
import { clockTime } from '../../format.js'
import { findLessons } from '../../lesson/index.js'
import { markdownText } from '../../report/index.js'
import { askSeat, readSeat } from '../../seat/index.js'
import { nextRow, readRows } from '../../workspace/index.js'

/**
 * @import { RoomWord } from '../../seat/index.js'
 * @import { Row } from '../../workspace/index.js'
 * @import { Given } from '../types.js'
 */

export const options = {}

export const maxPositionals = 0

export const usage = 'npm run next'

export const help = `Show the lesson that comes next, and how to begin it.
That is the one you last worked on, or, once it is passed, the first after it that isn't. \`npm run list\` shows all.`

/** @param {Given} given */
export async function run ({ stdout, stderr, env }) {
  const [entry, ...entries] = await findLessons({ env })
  const rows = await readRows([entry, ...entries], stderr)
  const current = await currentLesson(path.dirname(entry.workspaceDir))
  stdout.write(`${await markdownText(sayNext(rows, current), { stream: stdout, dir: entry.root })}\n`)
  return 0
}

const patienceMs = 1000

/** @param {string} workspace @returns {Promise<RoomWord['current']>} what the class is at; null: as far as we know */
async function currentLesson (workspace) {
  try {
    const seat = await readSeat(workspace)
    return seat?.url ? (await askSeat(seat, workspace, { waitMs: patienceMs })).current : null
  } catch {
    return null
  }
}

/** @param {Row[]} rows @param {RoomWord['current']} current @returns {string} Markdown */
function sayNext (rows, current) {
  const now = rows.find(({ id, state }) => id === current?.lesson && state !== 'pass')
  const next = now ?? nextRow(rows)
  if (next === null) return `You have passed all ${rows.length} lessons.`
  const passed = rows.filter(({ state }) => state === 'pass').map(({ number }) => number)
  const done = passed.length === 0
    ? `You haven’t passed any of the ${rows.length} lessons yet.`
    : `You have passed ${passed.length} of ${rows.length} lessons: ${passed.join(', ')}.`
  const { number, title, summary } = next
  const head = now && current ? `Now in class, until ${clockTime(current.until)}` : 'Next'
  return [done, `## ${head}: lesson ${number} · ${title}`, summary, far[next.state], commandsFor(next)].join('\n\n')
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
