import nodeFs from 'node:fs/promises'
import path from 'node:path'
import { isRecord, leadingGate } from '../judge/index.js'
import { fingerprintOf, startingPointOf } from '../lesson/index.js'
import { exists } from './exists.js'
import { changeNotes, readNotes } from './progress-file.js'
import { readJson } from './read-json.js'
import { followNumber } from './migrate-folder-number.js'
import { writeFileAtomic } from './write-file-atomic.js'

/**
 * @import { WorkshopError } from '../errors.js'
 * @import { ResultRecord } from '../judge/index.js'
 * @import { LessonEntry } from '../lesson/index.js'
 * @import { Notes } from './progress-file.js'
 */

/**
 * Saves a result: always as the last one, and as the best one if it passed and no earlier pass was faster.
 *
 * @param {LessonEntry} entry
 * @param {ResultRecord} record
 * @param {{ fs?: typeof nodeFs }} [options]
 * @returns {Promise<{ file: string, best: boolean }>} file: of the last result
 * @throws {WorkshopError} the workspace cannot be written
 */
export async function saveResult (entry, record, { fs = nodeFs } = {}) {
  const { last: file, best: bestFile } = filesOf(entry)
  await followNumber(entry, fs)
  const text = `${JSON.stringify(record, null, 2)}\n`
  await writeFileAtomic(file, text, { fs })
  await noteAttempt(entry, record, fs)
  if (record.verdict !== 'pass') return { file, best: false }

  const { value: former } = await readRecord(bestFile, fs)
  const best = former === undefined || (firstRatio(record) ?? 0) >= (firstRatio(former) ?? 0)
  if (best) await writeFileAtomic(bestFile, text, { fs })
  return { file, best }
}

/** @param {LessonEntry} entry @param {ResultRecord} record @param {typeof nodeFs} fs */
async function noteAttempt (entry, record, fs) {
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
  }), { fs })
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

/**
 * @param {LessonEntry} entry
 * @param {{ fs?: typeof nodeFs }} [options]
 * @returns {Promise<Progress>} never rejects because of a file's content
 */
export async function readProgress (entry, { fs = nodeFs } = {}) {
  const files = filesOf(entry)
  await followNumber(entry, fs)
  const last = await readRecord(files.last, fs)
  const best = await readRecord(files.best, fs)
  const shown = best.value ?? last.value
  const when = (last.value ?? best.value)?.startedAt ?? null
  const unreadable = [...last.unreadable ? [files.last] : [], ...best.unreadable ? [files.best] : []]
  return {
    state: await stateOf({ last: last.value, best: best.value, unreadable, entry, fs }),
    ratio: shown ? firstRatio(shown) : null,
    when,
    touched: latest([when, await savedAt(entry, fs)]),
    last: last.value,
    best: best.value,
    unreadable,
    ...await readNoted(entry, { last: last.value, best: best.value }, fs)
  }
}

/**
 * @param {LessonEntry} entry
 * @param {{ last?: ResultRecord, best?: ResultRecord }} results count as attempts if nothing else is known
 * @param {typeof nodeFs} fs
 */
async function readNoted (entry, { last, best }, fs) {
  const { attempts, startedFrom, ...noted } = await readNotes(entry, { fs })
  const known = new Set([last, best].flatMap((record) => record ? [record.startedAt] : [])).size
  const isOutdated = startedFrom !== null && await exists(entry.workspaceDir, fs) &&
    startedFrom !== fingerprintOf(startingPointOf(entry))
  return { attempts: Math.max(attempts, known), ...noted, isOutdated }
}

/**
 * When the learner's copy was last changed, going by the files at its top, where the server is.
 *
 * @param {LessonEntry} entry
 * @param {typeof nodeFs} fs
 * @returns {Promise<string | null>} ISO 8601; null where there is no copy
 */
async function savedAt ({ workspaceDir: dir }, fs) {
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

/**
 * @param {string} file
 * @param {typeof nodeFs} fs
 * @returns {Promise<{ value: ResultRecord | undefined, unreadable: boolean }>}
 */
async function readRecord (file, fs) {
  const { value, unreadable } = await readJson(file, fs)
  return isRecord(value) ? { value, unreadable } : { value: undefined, unreadable: unreadable || value !== undefined }
}

/** @param {ResultRecord} record */
function firstRatio (record) {
  return leadingGate(record.gates)?.ratio ?? null
}

/**
 * @param {{ last?: ResultRecord, best?: ResultRecord, unreadable: string[], entry: LessonEntry, fs: typeof nodeFs }}
 *   given
 * @returns {Promise<Progress['state']>}
 */
async function stateOf ({ last, best, unreadable, entry, fs }) {
  if (best) return 'pass'
  if (last && last.verdict !== 'error') return last.verdict
  const begun = last !== undefined || unreadable.length > 0 || await exists(entry.workspaceDir, fs).catch(() => false)
  return begun ? 'started' : 'not started'
}
