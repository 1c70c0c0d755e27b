import fs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../shared/errors.js'
import { fingerprintOf, startingPointOf } from '../lesson/index.js'
import { takeTurn } from '../process/index.js'
import { isObject } from '../shared/rules.js'
import { exists, explainFsError, readJson, writeFileAtomic } from './files.js'

/**
 * The learner's progress apart from results: one file, `progress.json`, keyed by the lessons' permanent ids, since
 * numbers may change.
 *
 * @import { LessonEntry } from '../lesson/index.js'
 *
 * @typedef {object} Notes of one lesson
 * @property {number} attempts full checks whose result was saved
 * @property {Attempt[]} history the latest of them, oldest first
 * @property {number} hints how many were shown
 * @property {string | null} solutionShown ISO 8601: when the learner requested it before a pass
 * @property {Prediction | null} prediction what the learner expects, in their words
 * @property {string | null} startedFrom fingerprint of what their copy was made from; null where that isn't known
 *
 * @typedef {{ question: string, answer: string }[]} Prediction in the order of the text; an answer may be empty
 *
 * @typedef {object} Attempt
 * @property {string} at ISO 8601
 * @property {'pass' | 'fail' | 'inconclusive'} verdict
 * @property {number | null} ratio of the first gate
 * @property {[number, number] | null} interval of 95 %
 * @property {string} [gate] whose ratio it is
 *
 * @typedef {Pick<LessonEntry, 'id' | 'workspaceDir'>} ProgressOwner
 */

const version = 3
const longestHistory = 100

/** @type {Notes} */
const noNotes = { attempts: 0, history: [], hints: 0, solutionShown: null, prediction: null, startedFrom: null }

/**
 * @param {ProgressOwner} entry
 * @returns {Promise<Notes & { setAside: string | null }>} setAside: where an unreadable file was moved, or one of an
 *   older version. Never rejects because of the file's content
 */
export async function readNotes (entry) {
  const { lessons, isBroken } = await readAll(entry)
  const setAside = isBroken ? await putAside(entry).catch(() => null) : null
  return { ...notesOf(lessons[entry.id]), setAside }
}

/**
 * Changes the notes of one lesson. Processes that do so at the same time wait for each other.
 *
 * @param {ProgressOwner} entry
 * @param {(notes: Notes) => Partial<Notes>} change
 * @throws {WorkshopError} the workspace cannot be written, or a newer workshop wrote the file
 */
export async function changeNotes (entry, change) {
  const file = fileOf(entry)
  const turn = await takeTurn(file)
  try {
    const { lessons, isBroken, isNewer } = await readAll(entry)
    if (isNewer) throw new WorkshopError(`${file} was written by a newer workshop: \`git pull\` gets it.`)
    if (isBroken) await putAside(entry)
    const before = notesOf(lessons[entry.id])
    const notes = { ...before, ...change(before) }
    notes.history = notes.history.slice(-longestHistory)
    const text = JSON.stringify({ version, lessons: { ...lessons, [entry.id]: notes } }, null, 2)
    await writeFileAtomic(file, `${text}\n`)
  } finally {
    await turn.release()
  }
}

/** @param {ProgressOwner} entry */
function fileOf (entry) {
  return path.join(path.dirname(entry.workspaceDir), 'progress.json')
}

/** @param {ProgressOwner} entry */
async function readAll (entry) {
  const { value, unreadable } = await readJson(fileOf(entry))
  const isNewer = Number.isInteger(value?.version) && value.version > version
  const isSound = value?.version === version && isObject(value.lessons)
  return {
    lessons: isSound ? value.lessons : {},
    isBroken: unreadable || (value !== undefined && !isSound && !isNewer),
    isNewer
  }
}

/** A damaged field costs only itself. @param {any} found @returns {Notes} */
function notesOf (found) {
  if (!isObject(found)) return noNotes
  const { attempts, history, hints, solutionShown, prediction, startedFrom } = found
  return {
    attempts: isCount(attempts) ? attempts : 0,
    history: Array.isArray(history) ? history.filter(isAttempt) : [],
    hints: isCount(hints) ? hints : 0,
    solutionShown: typeof solutionShown === 'string' ? solutionShown : null,
    prediction: predictionOf(prediction),
    startedFrom: typeof startedFrom === 'string' ? startedFrom : null
  }
}

/** @param {any} found @returns {Prediction | null} */
function predictionOf (found) {
  const answers = (Array.isArray(found) ? found : [])
    .filter((one) => typeof one?.question === 'string' && typeof one.answer === 'string')
  return answers.length === 0 ? null : answers.map(({ question, answer }) => ({ question, answer }))
}

/** @param {unknown} value @returns {value is number} */
function isCount (value) {
  return Number.isInteger(value) && Number(value) >= 0
}

/** @param {any} value */
function isAttempt (value) {
  return isObject(value) && typeof value.at === 'string' && ['pass', 'fail', 'inconclusive'].includes(value.verdict)
}

/** @param {ProgressOwner} entry @returns {Promise<string | null>} its new path; null: another process has moved it */
async function putAside (entry) {
  const file = fileOf(entry)
  for (let number = 1; ; number++) {
    const aside = path.join(path.dirname(file), `progress.unreadable-${number}.json`)
    if (await exists(aside)) continue
    try {
      await fs.rename(file, aside)
      return aside
    } catch (error) {
      if (error.code === 'ENOENT') return null
      throw explainFsError(error, path.dirname(file))
    }
  }
}

/** Remembers which slow server a copy was made from. A failure does no harm. @param {LessonEntry} entry */
export async function noteStart (entry) {
  const startedFrom = fingerprintOf(startingPointOf(entry))
  await changeNotes(entry, () => ({ startedFrom })).catch(() => {})
}
