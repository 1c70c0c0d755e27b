import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { isRecord, leadingGate } from '../judge/index.js'
import { fingerprintOf, startingPointOf } from '../lesson/index.js'
import { exists, readJson, writeFileAtomic } from './files.js'
import { changeNotes, readNotes } from './progress-file.js'

/**
 * @import { ResultRecord } from '../judge/index.js'
 * @import { LessonEntry } from '../lesson/index.js'
 * @import { Notes } from './progress-file.js'
 */

/**
 * Saves a result: always as the last one, and as the best one if it passed and no earlier pass was faster.
 *
 * @param {LessonEntry} entry
 * @param {ResultRecord} record
 * @returns {Promise<{ file: string, best: boolean }>} file: of the last result
 * @throws {WorkshopError} the workspace cannot be written
 */
export async function saveResult (entry, record) {
  const { last: file, best: bestFile } = filesOf(entry)
  const text = `${JSON.stringify(record, null, 2)}\n`
  await writeFileAtomic(file, text)
  await noteAttempt(entry, record)
  if (record.verdict !== 'pass') return { file, best: false }

  const { value: former } = await readRecord(bestFile)
  const best = former === undefined || (firstRatio(record) ?? 0) >= (firstRatio(former) ?? 0)
  if (best) await writeFileAtomic(bestFile, text)
  return { file, best }
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

/**
 * How far the learner is with a lesson. Passed once is passed, whatever a later attempt says.
 *
 * @typedef {Results & Pick<Notes, 'attempts' | 'history' | 'hints' | 'solutionShown' | 'prediction'> & Copy} Progress
 *
 * @typedef {object} Copy
 * @property {boolean} isOutdated the slow server has changed since the learner's copy was made from it
 * @property {string | null} setAside where an unreadable progress.json was moved
 * @property {string | null} touched ISO 8601: the last check or save; null: never
 *
 * @typedef {object} Results
 * @property {'not started' | 'started' | 'pass' | 'fail' | 'inconclusive'} state
 * @property {number | null} ratio of the first gate: of the best pass, else of the last result
 * @property {string | null} when ISO 8601, of the last result
 * @property {ResultRecord | undefined} last
 * @property {ResultRecord | undefined} best
 * @property {string[]} unreadable result files
 */

/** @param {LessonEntry} entry @returns {Promise<Progress>} never rejects because of a file's content */
export async function readProgress (entry) {
  const files = filesOf(entry)
  const last = await readRecord(files.last)
  const best = await readRecord(files.best)
  const shown = best.value ?? last.value
  const when = (last.value ?? best.value)?.startedAt ?? null
  const unreadable = [...last.unreadable ? [files.last] : [], ...best.unreadable ? [files.best] : []]
  return {
    state: await stateOf({ last: last.value, best: best.value, unreadable, entry }),
    ratio: shown ? firstRatio(shown) : null,
    when,
    touched: latest([when, await savedAt(entry)]),
    last: last.value,
    best: best.value,
    unreadable,
    ...await readNoted(entry, { last: last.value, best: best.value })
  }
}

/**
 * @param {LessonEntry} entry
 * @param {{ last?: ResultRecord, best?: ResultRecord }} results count as attempts if nothing else is known
 */
async function readNoted (entry, { last, best }) {
  const { attempts, startedFrom, ...noted } = await readNotes(entry)
  const known = new Set([last, best].flatMap((record) => record ? [record.startedAt] : [])).size
  const isOutdated = startedFrom !== null && await exists(entry.workspaceDir) &&
    startedFrom !== fingerprintOf(startingPointOf(entry))
  return { attempts: Math.max(attempts, known), ...noted, isOutdated }
}

/**
 * When the learner's copy was last changed, going by the files at its top, where the server is.
 *
 * @param {LessonEntry} entry
 * @returns {Promise<string | null>} ISO 8601; null where there is no copy
 */
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
  const results = resultsFolder(entry)
  return { last: path.join(results, `${entry.folder}.json`), best: path.join(results, `${entry.folder}.best.json`) }
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
 * @param {{ last?: ResultRecord, best?: ResultRecord, unreadable: string[], entry: LessonEntry }} given
 * @returns {Promise<Progress['state']>}
 */
async function stateOf ({ last, best, unreadable, entry }) {
  if (best) return 'pass'
  if (last && last.verdict !== 'error') return last.verdict
  const begun = last !== undefined || unreadable.length > 0 || await exists(entry.workspaceDir).catch(() => false)
  return begun ? 'started' : 'not started'
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
    const file = fileOf(entry)
    if (unfinished === null) await fs.rm(file, { force: true })
    else await writeFileAtomic(file, `${JSON.stringify({ ...identityOf(entry, dir), unfinished })}\n`)
  } catch {}
}

/** @param {LessonEntry} entry @param {string} dir @returns {Promise<any>} null: there is nothing to continue */
export async function readUnfinished (entry, dir) {
  const { value } = await readJson(fileOf(entry))
  const { unfinished = null, ...identity } = value ?? {}
  if (unfinished === null || !existsSync(dir)) return null
  return JSON.stringify(identity) === JSON.stringify(identityOf(entry, dir)) ? unfinished : null
}

/**
 * @param {LessonEntry} entry
 * @param {string} dir
 * @throws {WorkshopError} there is nothing to continue
 */
export async function requireUnfinished (entry, dir) {
  const unfinished = await readUnfinished(entry, dir)
  if (unfinished !== null) return unfinished
  throw new WorkshopError('There’s no undecided check of this code to go on with: ' +
    `npm run check lesson-${entry.number} begins one.`)
}

/** @param {LessonEntry} entry */
function fileOf (entry) {
  return path.join(resultsFolder(entry), `${entry.folder}.unfinished.json`)
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
