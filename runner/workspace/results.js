import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../shared/errors.js'
import { isRecord, leadingGate } from '../judge/index.js'
import { fingerprintOf, startingPointOf } from '../lesson/index.js'
import { takeTurn } from '../process/index.js'
import { isObject } from '../shared/rules.js'
import { exists, explainFsError, readJson, writeFileAtomic } from './files.js'

/**
 * @import { ResultRecord } from '../judge/index.js'
 * @import { LessonEntry } from '../lesson/index.js'
 */

/**
 * Saves a result: always as the last one, and as the best one if it passed and no earlier pass was faster.
 *
 * @param {LessonEntry} entry
 * @param {ResultRecord} record
 * @throws {WorkshopError} the workspace cannot be written
 */
export async function saveResult (entry, record) {
  const files = filesOf(entry)
  const text = `${JSON.stringify(record, null, 2)}\n`
  await writeFileAtomic(files.last, text)
  await noteAttempt(entry, record)
  if (record.verdict !== 'pass') return
  const { value: former } = await readRecord(files.best)
  const isBest = former === undefined || (firstRatio(record) ?? 0) >= (firstRatio(former) ?? 0)
  if (isBest) await writeFileAtomic(files.best, text)
}

/** @param {LessonEntry} entry @param {ResultRecord} record */
async function noteAttempt (entry, record) {
  // A fault of the workshop doesn't count as an attempt.
  const { verdict } = record
  if (verdict === 'error') return
  const gate = leadingGate(record.gates)
  await changeNotes(entry, ({ attempts, history }) => ({
    attempts: attempts + 1,
    history: [...history, {
      at: record.startedAt,
      verdict,
      ratio: gate?.ratio ?? null,
      interval: gate?.interval95 ?? null,
      gate: gate?.name
    }]
  }))
}

/** @typedef {Awaited<ReturnType<typeof readProgress>>} Progress */

/**
 * How far the learner is with a lesson. Passed once is passed, whatever a later attempt says. No file's content makes
 * it reject.
 *
 * @param {LessonEntry} entry
 */
export async function readProgress (entry) {
  const files = filesOf(entry)
  const [last, best] = [await readRecord(files.last), await readRecord(files.best)]
  const unreadable = [...last.unreadable ? [files.last] : [], ...best.unreadable ? [files.best] : []]
  const { attempts, startedFrom, ...noted } = await readNotes(entry)
  const hasCopy = await exists(entry.workspaceDir).catch(() => false)
  const isBegun = hasCopy || last.value !== undefined || unreadable.length > 0
  const shown = best.value ?? last.value
  const when = (last.value ?? best.value)?.startedAt ?? null
  const known = new Set([last, best].flatMap(({ value }) => value ? [value.startedAt] : []))
  return {
    ...noted,
    state: stateOf(best.value ?? last.value, isBegun),
    /** Of the first gate: of the best pass, else of the last result. */
    ratio: shown ? firstRatio(shown) : null,
    when,
    /** The last check or save, ISO 8601; null: never. */
    touched: latest([when, await savedAt(entry)]),
    last: last.value,
    best: best.value,
    /** Result files. */
    unreadable,
    // Results count as attempts if nothing else is known.
    attempts: Math.max(attempts, known.size),
    /** The slow server has changed since the learner's copy was made from it. */
    isOutdated: hasCopy && startedFrom !== null && startedFrom !== fingerprintOf(startingPointOf(entry))
  }
}

/** @typedef {'not started' | 'started' | 'pass' | 'fail' | 'inconclusive'} State */

/** @param {ResultRecord | undefined} last @param {boolean} isBegun @returns {State} */
function stateOf (last, isBegun) {
  if (last && last.verdict !== 'error') return last.verdict
  return isBegun ? 'started' : 'not started'
}

/** The last change of the files at the top of a copy, ISO 8601; null: no copy. @param {LessonEntry} entry */
async function savedAt ({ workspaceDir: dir }) {
  const names = await fs.readdir(dir).catch(() => [])
  const stats = await Promise.all(names.map((name) => fs.stat(path.join(dir, name)).catch(() => null)))
  return latest(stats.map((stat) => stat?.isFile() ? stat.mtime.toISOString() : null))
}

/** @param {(string | null)[]} times ISO 8601 @returns {string | null} */
function latest (times) {
  return times.reduce((latest, time) => (time ?? '') > (latest ?? '') ? time : latest, null)
}

/** The folder with the results of all lessons. @param {Pick<LessonEntry, 'workspaceDir'>} entry */
export function resultsFolder (entry) {
  return path.join(path.dirname(entry.workspaceDir), 'results')
}

/** @param {LessonEntry} entry */
function filesOf (entry) {
  const fileOf = (/** @type {string} */ end) => path.join(resultsFolder(entry), `${entry.folder}${end}`)
  return { last: fileOf('.json'), best: fileOf('.best.json'), unfinished: fileOf('.unfinished.json') }
}

/** @param {string} file @returns {Promise<{ value: ResultRecord | undefined, unreadable: boolean }>} */
async function readRecord (file) {
  const { value, unreadable } = await readJson(file)
  return isRecord(value) ? { value, unreadable } : { value: undefined, unreadable: unreadable || value !== undefined }
}

/** @param {ResultRecord} record */
function firstRatio (record) {
  return leadingGate(record.gates)?.ratio ?? null
}

/**
 * Keeps the rounds of an inconclusive check, to be continued with the same code on the same Node.js. Never rejects: a
 * verdict must not be lost because its rounds can't be kept.
 *
 * @param {LessonEntry} entry
 * @param {string} dir what was graded
 * @param {object | null} unfinished null: the check is settled
 */
export async function keepOrDrop (entry, dir, unfinished) {
  try {
    const { unfinished: file } = filesOf(entry)
    if (unfinished === null) await fs.rm(file, { force: true })
    else await writeFileAtomic(file, `${JSON.stringify({ ...identityOf(entry, dir), unfinished })}\n`)
  } catch {}
}

/** @param {LessonEntry} entry @param {string} dir @returns {Promise<any>} null: there is nothing to continue */
export async function readUnfinished (entry, dir) {
  const { value } = await readJson(filesOf(entry).unfinished)
  const { unfinished = null, ...identity } = value ?? {}
  if (unfinished === null || !existsSync(dir)) return null
  return JSON.stringify(identity) === JSON.stringify(identityOf(entry, dir)) ? unfinished : null
}

/** @param {LessonEntry} entry @param {string} dir @throws {WorkshopError} there is nothing to continue */
export async function requireUnfinished (entry, dir) {
  const unfinished = await readUnfinished(entry, dir)
  if (unfinished !== null) return unfinished
  throw new WorkshopError('There’s no undecided check of this code to go on with: ' +
    `npm run check lesson-${entry.number} begins one.`)
}

/** @param {LessonEntry} entry @param {string} dir */
function identityOf ({ slowDir }, dir) {
  return {
    dir: path.resolve(dir),
    code: fingerprintOf(dir),
    slow: fingerprintOf(slowDir),
    node: process.version
  }
}

/**
 * The learner's progress apart from results: one file, `progress.json`, keyed by the lessons' permanent ids, since
 * numbers may change.
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
async function readNotes (entry) {
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
  const file = progressFileOf(entry)
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
function progressFileOf (entry) {
  return path.join(path.dirname(entry.workspaceDir), 'progress.json')
}

/** @param {ProgressOwner} entry */
async function readAll (entry) {
  const { value, unreadable } = await readJson(progressFileOf(entry))
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
  const file = progressFileOf(entry)
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
