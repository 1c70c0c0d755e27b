import path from 'node:path'
import { timeLeft } from '../../shared/format.js'
import { findLessons, resolveLesson, workspaceRoot } from '../../lesson/index.js'
import { blockText, certificatePage, progressTable } from '../../report/index.js'
import { hearRoom, saidBy } from '../../seat/index.js'
import { shownPath } from '../../shared/text.js'
import { keepCopy, nextRow, readProgress, readRows, resetCopy, writeFileAtomic } from '../../workspace/index.js'
import { flag, say, text } from '../say.js'

/**
 * How far the learner is, and what comes next.
 *
 * @import { RoomWord } from '../../shared/seat-and-room.js'
 * @import { Section } from '../../report/index.js'
 * @import { Row } from '../../workspace/index.js'
 * @import { Command } from '../say.js'
 */

/** @type {Command} */
export const list = {
  options: {},
  maxPositionals: 0,
  usage: 'npm run list',
  help: `Show all lessons, and how far you are.
A lesson that you've passed stays passed. The ratio is that of your best pass, share compares it with the
reference solution's as the project measured it, and checks counts your attempts.`,

  async run ({ stdout, stderr, env }) {
    const rows = await readRows(await findLessons({ env }), stderr)
    stdout.write(`${progressTable(rows, { stream: stdout }).trimEnd()}\n\n`)
    say(stdout, ...nextSteps(rows))
    const room = await hearRoom(workspaceRoot(env))
    if (room !== null) say(stdout, ...saidBy(room), ...locksIn(room))
    return 0
  }
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
  const row = nextRow(rows)
  if (row === null) return [`You have passed all ${rows.length} lessons.`]
  const { number, state } = row
  return state === 'not started'
    ? [`Next: npm run read lesson-${number}`, `Then: npm run watch lesson-${number}`]
    : [`Next: npm run watch lesson-${number}`, `Stuck? npm run hint lesson-${number}`]
}

/** @type {Command} */
export const next = {
  options: {},
  maxPositionals: 0,
  usage: 'npm run next',
  help: `Show the lesson that comes next, and how to begin it.
That's the one you last worked on or, once you've passed it, the first after it that you haven't passed.
\`npm run list\` shows all.`,

  async run ({ stdout, stderr, env }) {
    const rows = await readRows(await findLessons({ env }), stderr)
    const room = await hearRoom(workspaceRoot(env))
    const current = room?.current ?? null
    const now = rows.find(({ id, state }) => id === current?.lesson && state !== 'pass')
    const row = now ?? nextRow(rows)
    const head = now && current ? `Now in class, ${timeLeft(current)}` : 'Next'
    const blocks = row === null
      ? [{ text: [`You have passed all ${rows.length} lessons.`] }]
      : aboutNext(row, head, rows)
    stdout.write(`${blocks.map((block) => blockText(block, { stream: stdout })).join('\n\n')}\n`)
    if (room !== null) say(stdout, ...saidBy(current?.lesson === row?.id ? { ...room, current: null } : room, row?.id))
    return 0
  }
}

/** @param {Row} row @param {string} head @param {Row[]} rows @returns {Omit<Section, 'title'>[]} */
function aboutNext ({ number, title, summary, state }, head, rows) {
  const passed = rows.filter((one) => one.state === 'pass').map((one) => one.number)
  const done = passed.length === 0
    ? `You haven’t passed any of the ${rows.length} lessons yet.`
    : `You have passed ${passed.length} of ${rows.length} lessons: ${passed.join(', ')}.`
  const said = [done, `${head}: lesson ${number} · ${title}`, summary, far[state]].filter((text) => text !== '')
  const commands = state === 'not started'
    ? { read: 'what it is about', watch: 'makes your copy, and checks it on every save' }
    : {
        read: 'what it is about',
        watch: 'checks it on every save',
        diff: 'what you have changed',
        hint: 'when you are stuck'
      }
  const table = Object.entries(commands).map(([name, does]) => [`npm run ${name} lesson-${number}`, does])
  return [...said.map((text) => ({ text: [text] })), { rows: table }]
}

const far = {
  'not started': '',
  started: 'You have begun it, and it has no verdict yet.',
  fail: 'You have begun it: its last check failed.',
  inconclusive: 'You have begun it: its last check was inconclusive.',
  pass: ''
}

/** @type {Command} */
export const reset = {
  options: { keep: flag },
  maxPositionals: 1,
  usage: 'npm run reset lesson-N [-- --keep]',
  help: `Get a fresh copy of the slow server.
What you have now is moved to workspace/backups, under a name with the date. Nothing is deleted.

  --keep   keep what you have, even though the slow server has changed since you began`,

  async run ({ values, positionals, stdout, env }) {
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
}

/** @type {Command} */
export const certificate = {
  options: { name: { ...text, default: '' } },
  maxPositionals: 0,
  usage: 'npm run certificate [-- --name "Ada Lovelace"]',
  help: `Write a page to keep, once you've passed every lesson.
It's workspace/certificate/certificate.html; certificate.json next to it has the full records of your best passes.

  --name NAME   your name, for the page

Exit code: 0 written, 1 not every lesson is passed yet.`,

  async run ({ values: { name }, stdout, env }) {
    const entries = await findLessons({ env })
    const rows = await Promise.all(entries.map(async (entry) => ({ ...entry, ...await readProgress(entry) })))
    const records = rows.flatMap(({ best }) => best ?? [])
    if (records.length < entries.length) {
      const missing = rows.filter(({ best }) => best === undefined).map(({ number }) => number)
      say(
        stdout,
        `You have passed ${records.length} of ${entries.length} lessons. Still to come: ${missing.join(', ')}.`,
        `Next: npm run watch lesson-${nextRow(rows)?.number}`
      )
      return 1
    }
    const at = new Date().toISOString()
    const folder = path.join(workspaceRoot(env), 'certificate')
    const page = path.join(folder, 'certificate.html')
    const json = JSON.stringify({ name, at, records }, null, 2)
    await writeFileAtomic(path.join(folder, 'certificate.json'), `${json}\n`)
    await writeFileAtomic(page, certificatePage(records, { name, at }))
    say(stdout, `You have passed all ${entries.length} lessons. Your certificate: ${shownPath(page)}`)
    return 0
  }
}
