import { leadingGate, reachedTier, sayUndecided } from '../judge/index.js'
import { readNames, referenceOf } from '../lesson/index.js'
import { shownPath } from '../shared/text.js'
import { readProgress } from './results.js'

/**
 * @import { GateResult, ResultRecord } from '../judge/index.js'
 * @import { LessonEntry } from '../lesson/index.js'
 * @import { Progress } from './results.js'
 *
 * @typedef {{ write: (text: string) => unknown }} Output
 *
 * @typedef {Awaited<ReturnType<typeof rowOf>>} Row
 */

/**
 * How far the learner is with each lesson. What can't be read is reported on `stderr` and hides no other lesson.
 *
 * @param {LessonEntry[]} entries
 * @param {Output} stderr
 */
export function readRows (entries, stderr) {
  return Promise.all(entries.map((entry) => rowOf(entry, stderr)))
}

/**
 * The next lesson: the one last worked on or, once it is passed, the first after it that isn't, then the first of all
 * that isn't. Pure.
 *
 * @template {Pick<Row, 'state' | 'touched'>} T
 * @param {readonly T[]} rows in the order of the lessons
 * @param {{ after?: T }} [options] after: the one that the learner is leaving, passed or not
 * @returns {T | null} null: all have passed
 */
export function nextRow (rows, { after } = {}) {
  const touched = rows.filter((row) => row.touched !== null)
  const [latest] = touched.sort((a, b) => String(b.touched).localeCompare(String(a.touched)))
  const current = after ?? latest
  if (after === undefined && current !== undefined && current.state !== 'pass') return current
  const at = rows.findIndex((row) => row === current)
  const inTurn = [...rows.slice(at + 1), ...rows.slice(0, at + 1)]
  return inTurn.find((row) => row.state !== 'pass' && row !== after) ?? null
}

/** @param {LessonEntry} entry @param {Output} stderr */
async function rowOf (entry, stderr) {
  const { state, last, best, unreadable, setAside, isOutdated, ...known } = await readProgress(entry)
  const { ratio, when, touched, attempts } = known
  const undecided = state === 'inconclusive' ? sayUndecided(last?.gates ?? []) : ''
  for (const file of unreadable) {
    stderr.write(`${shownPath(file)} cannot be read: ` +
      `\`npm run check lesson-${entry.number}\` makes a new one.\n`)
  }
  if (setAside !== null) {
    stderr.write(`Your progress file is damaged, so it was moved to ${shownPath(setAside)}. ` +
      'Your copies and results are unchanged.\n')
  }
  const outdated = sayOutdated(entry, isOutdated)
  if (outdated !== '') stderr.write(`${outdated}\n`)
  const names = await namesOf(entry, stderr)
  const { number, id } = entry
  return { number, id, ...names, state, undecided, ratio, when, touched, attempts, ...reachedIn(best, entry) }
}

/** @param {ResultRecord | undefined} best @param {LessonEntry} entry */
function reachedIn (best, entry) {
  const gate = leadingGate(best?.gates ?? [])
  const reference = referenceOf(entry)[gate?.name ?? '']
  // The share of what the reference solution reached on the project's machine, and the highest tier.
  return { share: gate?.ratio && reference ? gate.ratio / reference : null, tier: reachedTier(gate) }
}

/** One broken lesson does not hide the others. @param {LessonEntry} entry @param {Output} stderr */
async function namesOf (entry, stderr) {
  try {
    return await readNames(entry)
  } catch (error) {
    stderr.write(`${error.message}\n`)
    return { title: entry.id, summary: '', part: '' }
  }
}

/** About a copy of an older slow server, or empty. @param {{ number: number }} entry @param {boolean} isOutdated */
export function sayOutdated ({ number }, isOutdated) {
  if (!isOutdated) return ''
  return `The slow server of lesson ${number} has changed since your copy was made. See what is different: ` +
    `npm run diff lesson-${number}. Start over (yours is kept as a backup): npm run reset lesson-${number}. ` +
    `Keep yours: npm run reset lesson-${number} -- --keep`
}

/**
 * Tells a learner who hasn't passed yet how far they are, what helps, and how to see the solution anyway.
 *
 * @param {Pick<LessonEntry, 'number'>} entry
 * @param {Pick<Progress, 'state' | 'last' | 'hints'>} progress
 * @param {{ command: string | null, hints: number }} options command: `npm run solution lesson-3`; null: the page has a
 *   button. hints: how many the lesson has
 * @returns {string | null} one paragraph of Markdown; null: the solution may be shown
 */
export function notYet ({ number }, { state, last, hints: seen }, { command, hints }) {
  if (state === 'pass') return null
  const far = howFar(number, state, last?.gates ?? [], command === null)
  const [hint, place] = seen < hints
    ? ['The next hint leads on and leaves the finding to you', `: \`npm run hint lesson-${number}\``]
    : [`You have seen all ${hints} hints`, '']
  if (command === null) return `${far.replace(/: `.*/, '.')} ${hint}.`
  return `${far} ${hint}${place}. To see the solution anyway: \`${command} -- --anyway\``
}

/** @param {number} number @param {Progress['state']} state @param {GateResult[]} gates @param {boolean} isInBrowser */
function howFar (number, state, gates, isInBrowser) {
  const lesson = `lesson ${number}`
  if (state === 'not started') return `You haven’t begun ${lesson} yet: \`npm run read lesson-${number}\`.`
  if (state === 'started') return `Your copy of ${lesson} has no verdict yet: \`npm run check lesson-${number}\`.`
  const counted = gates.filter(({ verdict }) => verdict !== 'dropped')
  const passed = counted.filter(({ verdict }) => verdict === 'pass').length
  const share = counted.length === 0 ? '' : `, with ${passed} of ${counted.length} gates passed`
  // There, an open check is called as on its card.
  const open = isInBrowser ? `${sayUndecided(gates)} in its last check` : `its last check was ${state}`
  return `You haven’t passed ${lesson} yet: ${state === 'fail' ? 'its last check failed' : open}${share}.`
}
