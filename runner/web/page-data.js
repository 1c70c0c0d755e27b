import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { isUnchanged } from '../check/index.js'
import { WorkshopError } from '../shared/errors.js'
import { refuse } from '../http/index.js'
import { createStandings, mostRounds } from '../judge/index.js'
import {
  findLessons, loadLesson, questionsIn, readHints, readText, resolveLesson
} from '../lesson/index.js'
import { judgedOn } from '../process/index.js'
import { readReports } from '../profiling/index.js'
import { errorOf } from '../report/index.js'
import { shownPath } from '../shared/text.js'
import { nextRow, readProgress, readTree, readUnfinished, sayOutdated } from '../workspace/index.js'
import { readPictureSizes } from './pages/lesson-text.js'
import { seenIn } from './prediction-feedback.js'

/**
 * What the pages of a lesson show, as data.
 *
 * @import { GateResult, ResultRecord } from '../judge/index.js'
 * @import { LessonEntry, LoadedLesson, QuestionGroup } from '../lesson/index.js'
 * @import { LastJobs } from './jobs.js'
 * @import { CodeFrame, Source } from './pages/code-lines.js'
 *
 * @typedef {Awaited<ReturnType<typeof readLesson>>} LessonData
 * @typedef {Awaited<ReturnType<typeof readLessonPage>>} LessonPage
 * @typedef {'done' | 'begun' | ''} StepState
 * @typedef {{ slug: string, number: number, title: string }} Place
 */

const noLesson = 'There is no such lesson: the first page lists them all.'

/**
 * @param {string} slug as it came
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<LoadedLesson>}
 * @throws {WorkshopError} with a status: no such lesson
 */
export async function openLesson (slug, env) {
  if (!/^[a-z0-9-]{1,100}$/i.test(slug)) throw refuse(404, noLesson)
  const entry = await resolveLesson(slug, { env }).catch((error) => {
    throw error instanceof WorkshopError ? refuse(404, noLesson) : error
  })
  return loadLesson(entry)
}

/** @param {LessonEntry} entry */
export function textOf ({ dir }) {
  return path.join(dir, 'README.md')
}

/** What each page of a lesson begins with. @param {LoadedLesson} entry */
export function headOf ({ id: slug, number, lesson: { title, check } }) {
  return { slug, number, title, kind: check?.writes ?? 'server' }
}

/** Files that run or are included: neither data nor packages. */
export const isCode = /\.([cm]?[jt]s|json)$/

/** For VS Code. @param {string} file */
export function editorUrl (file) {
  return `vscode://file${pathToFileURL(file).pathname}`
}

/** @param {LoadedLesson} entry */
export async function readLesson (entry) {
  const { hints, history, last, best, state, prediction, touched, isOutdated } = await readProgress(entry)
  const total = (await readHints(entry)).length
  const file = path.join(entry.workspaceDir, entry.file)
  return {
    ...headOf(entry),
    file: {
      shown: shownPath(file),
      path: file,
      editorUrl: state === 'not started' ? null : editorUrl(file)
    },
    targets: targetsOf(entry.lesson),
    hints: { shown: Math.min(hints, total), total },
    prediction,
    history,
    passed: state === 'pass',
    touched,
    outdated: sayOutdated(entry, isOutdated),
    last: last ?? null,
    isStale: last !== undefined && isStale(last, touched),
    canGoOn: last?.verdict === 'inconclusive' && last.gates.some(couldSettle) &&
      await readUnfinished(entry, entry.workspaceDir) !== null,
    best: best ?? null
  }
}

/** Were the files changed after that check? @param {ResultRecord} last @param {string | null} touched ISO 8601 */
export function isStale ({ startedAt }, touched) {
  return touched !== null && touched > startedAt
}

/** @param {LoadedLesson} entry @param {NodeJS.ProcessEnv} env @param {LastJobs} jobs */
export async function readLessonPage (entry, env, jobs) {
  const [data, text, sizes, hints, entries] = await Promise.all([
    readLesson(entry),
    readText(textOf(entry), entry),
    readPictureSizes(entry.dir),
    readHints(entry),
    findLessons({ env })
  ])
  const hasCopy = data.file.editorUrl !== null
  const files = await readCode(hasCopy ? entry.workspaceDir : entry.slowDir, entry.file)
  const at = entries.findIndex(({ id }) => id === entry.id)
  const rows = await Promise.all(entries.map(async (one) => ({ entry: one, ...await readProgress(one) })))
  return {
    ...data,
    hasCopy,
    files,
    jobs,
    frames: { last: data.isStale ? null : frameIn(data.last, files), preview: frameIn(jobs.preview, files) },
    text,
    questions: questionsFor(entry, text),
    sizes,
    hintTexts: hints.slice(0, data.hints.shown),
    ...await readFound(entry, data, jobs),
    previous: await placeOf(entries[at - 1]),
    next: await placeOf(entries[at + 1]),
    onward: await placeOf(nextRow(rows, { after: rows[at] })?.entry)
  }
}

/** @param {string} dir @param {string} first the lesson's own file @returns {Promise<Source[]>} that file first */
async function readCode (dir, first) {
  const tree = await readTree(dir, { first })
  return [...tree].flatMap(([name, { text }]) => text !== undefined && isCode.test(name) ? [{ name, text }] : [])
}

/**
 * How far each of the five steps is; what was found about a prediction, and the profile of the code that is shown (both
 * null before there is a prediction, since a profile answers it).
 *
 * @param {LoadedLesson} entry
 * @param {LessonData} data
 * @param {LastJobs} jobs
 */
async function readFound (entry, { history, prediction, file, passed, touched, last, isStale }, jobs) {
  const reports = await readReports(entry)
  const isSame = file.editorUrl === null || isUnchanged(entry, entry.workspaceDir)
  const { bench, profile, preview, outcomes = {} } = jobs
  const isFixed = !isSame && [preview, isStale ? null : last].some((record) => record && isAhead(record))
  const cpu = reports.find((report) => report.cpu !== null && (isSame || report.server === 'mine') &&
    (touched === null || isSame || report.madeAt.toISOString() > touched))?.cpu ?? null
  const isProfiled = reports.length > 0 || profile !== undefined
  const stepOf = (/** @type {boolean} */ isDone, isBegun = false) =>
    /** @type {StepState} */ (isDone || passed ? 'done' : isBegun ? 'begun' : '')
  return {
    isUnchanged: isSame,
    heat: prediction && cpu,
    seen: prediction && seenIn(prediction, reports),
    /** Of the first step more is known where its commands are: each of them is to be run. */
    steps: [
      // A check measures the slow server as well.
      stepOf(history.length > 0, bench !== undefined || Object.keys(outcomes).length > 0),
      stepOf(prediction !== null),
      // A recording isn't yet a finding: the fix shows that there was one.
      stepOf(isProfiled && isFixed, isProfiled),
      stepOf(isFixed, !isSame),
      stepOf(false, history.length > 0)
    ]
  }
}

/** A quick look is no verdict: this share of a target is about the target. */
const nearly = 0.9

/** Are its answers right, and the targets that it measured about met? @param {ResultRecord} record */
function isAhead ({ contract, gates, verdict }) {
  const margins = gates.flatMap(({ ratio, target, direction }) =>
    ratio === null || target === null ? [] : [direction === 'at least' ? ratio / target : target / ratio])
  return verdict !== 'error' && contract.every(({ status }) => status === 'pass') &&
    margins.length > 0 && margins.every((margin) => margin >= nearly)
}

/** What a prediction answers. @param {LoadedLesson} entry @returns {Promise<QuestionGroup[]>} */
export async function readQuestions (entry) {
  return questionsFor(entry, await readText(textOf(entry), entry))
}

/** @param {LoadedLesson} entry @param {string} text @returns {QuestionGroup[]} */
function questionsFor ({ lesson: { check } }, text) {
  const groups = questionsIn(text)
  if (groups.length > 0) return groups
  return [{
    intro: '',
    questions: check !== undefined
      ? ['What do you expect to find?']
      : ['Which function, or which work, takes the time?', 'What grows, with each request or with time?']
  }]
}

/** @param {ResultRecord | null | undefined} record @param {Source[]} files @returns {CodeFrame | null} */
function frameIn (record, files) {
  const place = record && record.verdict !== 'pass' ? errorOf(record)?.place : undefined
  const file = files.find(({ name }) => name === place?.file)
  return place && file ? { ...place, text: file.text } : null
}

/** @param {LessonEntry | undefined} entry @returns {Promise<Place | null>} */
async function placeOf (entry) {
  if (entry === undefined) return null
  const { id: slug, number } = entry
  // One broken lesson does not hide the others.
  const title = await loadLesson(entry).then(({ lesson }) => lesson.title, () => slug)
  return { slug, number, title }
}

/** @param {LessonEntry} entry */
export function solutionText (entry) {
  return readText(path.join(entry.solutionDir, 'README.md'), entry)
}

/** Could more rounds settle this gate? @param {GateResult} gate */
function couldSettle ({ verdict, rounds }) {
  return verdict === 'inconclusive' && rounds < mostRounds
}

/** @param {LoadedLesson['lesson']} lesson */
function targetsOf (lesson) {
  if (lesson.check !== undefined) return []
  return createStandings(lesson, judgedOn()).judge([])
    .map(({ name, direction, target, ratioUnit: unit }) => ({ name, direction, target, unit }))
}
