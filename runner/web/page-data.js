import path from 'node:path'
import { isUnchanged } from '../check/index.js'
import { WorkshopError } from '../errors.js'
import { refuse } from '../http/index.js'
import { createStandings, mostRounds } from '../judge/index.js'
import {
  effortIn, findLessons, loadLesson, measuredIn, questionsIn, readHints, readText, resolveLesson, startingPointOf
} from '../lesson/index.js'
import { describeMachine, judgedOn } from '../process/index.js'
import { readReports } from '../profiling/index.js'
import { errorOf } from '../report/browser.js'
import { shownPath } from '../shown-path.js'
import { nextRow, notYet, readProgress, readRows, readTree, readUnfinished, sayOutdated } from '../workspace/index.js'
import { readPictureSizes } from './pages/markdown.js'
import { editorUrl, isCode, seenIn } from './read-profile.js'

/**
 * What the pages show, as data.
 *
 * @import { GateResult, ResultRecord } from '../judge/index.js'
 * @import { LessonEntry, LoadedLesson, Measured, QuestionGroup } from '../lesson/index.js'
 * @import { Attempt, Prediction, Row, TreeFile } from '../workspace/index.js'
 * @import { Job, LastJobs } from './jobs.js'
 * @import { Sizes } from './pages/markdown.js'
 * @import { CodeFrame } from './pages/verdict-card.js'
 * @import { Seen } from './prediction-feedback.js'
 * @import { ClassState, Classroom } from './seat-state.js'
 * @import { Fitness, Served } from './serving.js'
 *
 * @typedef {object} LessonRow
 * @property {string} slug
 * @property {number} number
 * @property {string} title
 * @property {string} summary
 * @property {string} part of the workshop
 * @property {Row['state']} state
 * @property {number | null} ratio
 * @property {number | null} share of the reference's, 0 to 1
 * @property {string | null} tier
 * @property {number} attempts
 * @property {string | null} when ISO 8601
 * @property {number | null} minutes to work on it; null where its text doesn't say
 * @property {string | null} difficulty as its text says
 *
 * @typedef {object} State
 * @property {LessonRow[]} lessons
 * @property {string | null} next slug; null: all have passed
 * @property {Job | null} job
 * @property {Served | null} served
 * @property {{ node: string, cpu: string, cores: number, platform: string, fitness: Fitness }} machine
 * @property {ClassState} classroom
 * @property {Example | null} example what a fix is worth, as the project measured it; null where it didn't
 * @property {string[]} notes sentences about files that could not be read
 *
 * @typedef {Measured & { lesson: string, where: string }} Example lesson: its title
 *
 * @typedef {object} LessonData
 * @property {string} slug
 * @property {number} number
 * @property {string} title
 * @property {string} kind `server`, or what the learner writes instead
 * @property {{ shown: string, path: string, editorUrl: string | null }} file editorUrl: null before there is a copy
 * @property {{ name: string, direction: GateResult['direction'], target: number | null, unit: string }[]} targets
 *   target: null where it is not judged on this machine
 * @property {{ shown: number, total: number }} hints
 * @property {Prediction | null} prediction
 * @property {Attempt[]} history
 * @property {boolean} passed
 * @property {string} outdated a sentence, where the copy stems from an older slow server; else empty
 * @property {ResultRecord | null} last
 * @property {boolean} isStale the learner's files changed after that check
 * @property {boolean} canGoOn the last check was inconclusive, and can go on from its rounds
 * @property {ResultRecord | null} best
 *
 * @typedef {LessonData & { text: string, sizes: Sizes, hintTexts: string[], next: Place | null, previous: Place | null,
 *   onward: Place | null, seen: Seen | null, questions: QuestionGroup[], done: boolean[], files: Source[],
 *   jobs: LastJobs, frames: { last: CodeFrame | null, preview: CodeFrame | null } }} LessonPage text and hints are
 *   Markdown; onward: what comes once this one is passed, null: all are; sizes of its pictures; seen: null before there
 *   is a prediction; done: the five steps; files of the learner's copy; frames: where servers failed
 * @typedef {{ name: string, text: string }} Source name: below the copy, with slashes
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

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {object} now read last: reading takes a moment
 * @param {() => Job | null} now.currentJob
 * @param {() => Served | null} now.served
 * @param {() => Fitness} now.fitness
 * @param {Pick<Classroom, 'read'>} now.classroom
 * @returns {Promise<State>}
 */
export async function readState (env, { currentJob, served, fitness, classroom }) {
  /** @type {string[]} */
  const notes = []
  const entries = await findLessons({ env })
  const [rows, efforts, example] = await Promise.all([
    readRows(entries, { write: (text) => notes.push(text.trim()) }),
    Promise.all(entries.map((entry) => readText(textOf(entry), entry).catch(() => '').then(effortIn))),
    readExample(entries[0])
  ])
  const { node, cpu, cores, platform } = describeMachine()
  return {
    lessons: rows.map(({ id, ...row }, at) => ({ slug: id, ...row, ...efforts[at] })),
    next: nextRow(rows)?.id ?? null,
    job: currentJob(),
    served: served(),
    classroom: await classroom.read(),
    machine: { node, cpu, cores, platform, fitness: fitness() },
    example: example && rows[0] ? { ...example, lesson: rows[0].title } : null,
    notes
  }
}

/** The first figure of the first lesson. @param {LessonEntry | undefined} entry */
async function readExample (entry) {
  const { rows: [first], where } = measuredIn(entry === undefined ? '' : await solutionText(entry).catch(() => ''))
  return first === undefined ? null : { ...first, where }
}

/** @param {LessonEntry} entry */
function textOf ({ dir }) {
  return path.join(dir, 'README.md')
}

/** @param {LoadedLesson} entry @returns {Promise<LessonData>} */
export async function readLesson (entry) {
  const { id, number, lesson } = entry
  const { hints, history, last, best, state, prediction, touched, isOutdated } = await readProgress(entry)
  const total = (await readHints(entry)).length
  const file = path.join(entry.workspaceDir, entry.file)
  return {
    slug: id,
    number,
    title: lesson.title,
    kind: lesson.check?.writes ?? 'server',
    file: {
      shown: shownPath(file),
      path: file,
      editorUrl: state === 'not started' ? null : editorUrl(file)
    },
    targets: targetsOf(lesson),
    hints: { shown: Math.min(hints, total), total },
    prediction,
    history,
    passed: state === 'pass',
    outdated: sayOutdated(entry, isOutdated),
    last: last ?? null,
    isStale: last !== undefined && isStale(last, touched),
    canGoOn: last?.verdict === 'inconclusive' && last.gates.some(couldSettle) &&
      await readUnfinished(entry, entry.workspaceDir) !== null,
    best: best ?? null
  }
}

/** Were the files changed after that check? @param {ResultRecord} last @param {string | null} touched ISO 8601 */
function isStale ({ startedAt }, touched) {
  return touched !== null && touched > startedAt
}

/** @param {LoadedLesson} entry @param {NodeJS.ProcessEnv} env @param {LastJobs} jobs @returns {Promise<LessonPage>} */
export async function readLessonPage (entry, env, jobs) {
  const tree = await readTree(entry.workspaceDir, { first: entry.file })
  const files = [...tree].flatMap(([name, { text }]) => text !== undefined && isCode.test(name) ? [{ name, text }] : [])
  const [data, text, sizes, hints, entries] = await Promise.all([
    readLesson(entry),
    readText(textOf(entry), entry),
    readPictureSizes(entry.dir),
    readHints(entry),
    findLessons({ env })
  ])
  const at = entries.findIndex(({ id }) => id === entry.id)
  const rows = await Promise.all(entries.map(async (one) => ({ entry: one, ...await readProgress(one) })))
  return {
    ...data,
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

/**
 * Which of the five steps are done, and what was found about a prediction.
 *
 * @param {LoadedLesson} entry
 * @param {LessonData} data
 * @param {LastJobs} jobs
 * @returns {Promise<Pick<LessonPage, 'seen' | 'done'>>}
 */
async function readFound (entry, { history, prediction, file, passed }, { bench, profile }) {
  const reports = await readReports(entry)
  const isChanged = file.editorUrl !== null && !isUnchanged(entry, entry.workspaceDir)
  return {
    seen: prediction && seenIn(prediction, reports),
    done: [
      // A check measures the slow server as well.
      history.length > 0 || bench !== undefined,
      prediction !== null,
      reports.length > 0 || profile !== undefined,
      isChanged || passed,
      passed
    ]
  }
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

/**
 * The learner's files next to the slow server's or the solution's.
 *
 * @typedef {Record<string, TreeFile>} Files by path, with slashes
 *
 * @param {LoadedLesson} entry
 * @param {'slow' | 'solution'} other
 * @returns {Promise<{ slug: string, number: number, title: string, kind: LessonData['kind'],
 *   with: 'slow' | 'solution', mine: Files, other: Files | null, refusal: string | null, text: string | null,
 *   last: ResultRecord | null }>}
 *   refusal: Markdown, why the solution is not shown yet; text: Markdown, why it is made so
 */
export async function readComparison (entry, other) {
  const refusal = other === 'solution' ? await solutionRefusal(entry) : null
  const { last, touched } = await readProgress(entry)
  return {
    slug: entry.id,
    number: entry.number,
    title: entry.lesson.title,
    with: other,
    mine: await filesIn(entry.workspaceDir, entry),
    last: last === undefined || isStale(last, touched) ? null : last,
    kind: entry.lesson.check?.writes ?? 'server',
    other: refusal === null ? await filesIn(folderOf(entry, other), entry) : null,
    refusal,
    text: other === 'solution' && refusal === null ? await solutionText(entry) : null
  }
}

/** @param {LoadedLesson} entry @param {'slow' | 'solution'} other */
function folderOf (entry, other) {
  if (other === 'solution') return entry.solutionDir
  return entry.lesson.check === undefined ? entry.slowDir : startingPointOf(entry)
}

/** @param {LessonEntry} entry */
function solutionText (entry) {
  return readText(path.join(entry.solutionDir, 'README.md'), entry)
}

/** @param {LoadedLesson} entry */
async function solutionRefusal (entry) {
  const progress = await readProgress(entry)
  if (progress.solutionShown !== null) return null
  return notYet(entry, progress, { command: null, hints: (await readHints(entry)).length })
}

/** @param {string} dir @param {LoadedLesson} entry @returns {Promise<Files>} */
async function filesIn (dir, { file }) {
  const files = await readTree(dir, { first: file })
  files.delete('README.md')
  return Object.fromEntries(files)
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
