import { leadingGate, reachedTier } from '../judge/index.js'
import { loadLesson, referenceOf } from '../lesson/index.js'
import { shownPath } from '../shown-path.js'
import { sayOutdated } from './outdated.js'
import { readProgress } from './results.js'

/**
 * @import { ResultRecord } from '../judge/index.js'
 * @import { LessonEntry } from '../lesson/index.js'
 * @import { Progress } from './results.js'
 *
 * @typedef {{ write: (text: string) => unknown }} Output
 *
 * @typedef {object} Row
 * @property {number} number
 * @property {string} id
 * @property {string} title
 * @property {string} summary one sentence; empty for a lesson that is broken
 * @property {Progress['state']} state
 * @property {number | null} ratio
 * @property {string | null} when ISO 8601
 * @property {number} attempts
 * @property {number | null} share of what the reference solution reached where it was measured, 0 to 1
 * @property {string | null} tier the highest that was reached
 */

/**
 * How far the learner is with each lesson. What cannot be read is told on `stderr` and hides no other lesson.
 *
 * @param {LessonEntry[]} entries
 * @param {Output} stderr
 * @returns {Promise<Row[]>} in the order of the entries
 */
export function readRows (entries, stderr) {
  return Promise.all(entries.map((entry) => rowOf(entry, stderr)))
}

/**
 * What was touched last and has not passed, else the first lesson that was not begun.
 *
 * @template {Pick<Row, 'state' | 'when'>} T
 * @param {T[]} rows
 * @returns {T | null} null: all have passed
 */
export function nextRow (rows) {
  const begun = rows.filter((row) => row.state !== 'pass' && row.state !== 'not started')
  // A copy without a result has no date.
  const [current] = begun.sort((a, b) => (b.when ?? '').localeCompare(a.when ?? ''))
  return current ?? rows.find((row) => row.state === 'not started') ?? null
}

/**
 * @param {LessonEntry} entry
 * @param {Output} stderr
 * @returns {Promise<Row>}
 */
async function rowOf (entry, stderr) {
  const { state, ratio, when, attempts, best, unreadable, setAside, isOutdated } = await readProgress(entry)
  for (const file of unreadable) {
    stderr.write(`${shownPath(file)} cannot be read: ` +
      `\`npm run check lesson-${entry.number}\` makes a new one.\n`)
  }
  if (setAside !== null) {
    stderr.write(`Your progress file made no sense and is kept as ${shownPath(setAside)}; your copies and results ` +
      'are as they were.\n')
  }
  const outdated = sayOutdated(entry, isOutdated)
  if (outdated !== '') stderr.write(`${outdated}\n`)
  const names = await namesOf(entry, stderr)
  return { number: entry.number, id: entry.id, ...names, state, ratio, when, attempts, ...reachedIn(best, entry) }
}

/**
 * @param {ResultRecord | undefined} best
 * @param {LessonEntry} entry
 * @returns {Pick<Row, 'share' | 'tier'>}
 */
function reachedIn (best, entry) {
  const gate = leadingGate(best?.gates ?? [])
  const reference = referenceOf(entry)[gate?.name ?? '']
  return {
    share: gate?.ratio && reference ? gate.ratio / reference : null,
    tier: reachedTier(gate)
  }
}

/** One broken lesson does not hide the others. @param {LessonEntry} entry @param {Output} stderr */
async function namesOf (entry, stderr) {
  try {
    const { lesson: { title, summary } } = await loadLesson(entry)
    return { title, summary }
  } catch (error) {
    stderr.write(`${error.message}\n`)
    return { title: entry.id, summary: '' }
  }
}
