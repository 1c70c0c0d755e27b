import { lstatSync, readdirSync, statSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../../runner/shared/errors.js'
import { loadLesson, resolveLesson } from '../../runner/lesson/index.js'
import { shownPath } from '../../runner/shared/text.js'
import { writeFileAtomic } from '../../runner/workspace/index.js'
import { hashOf } from './plain-files.js'
import { regrade } from './regrade.js'

/**
 * A folder of submissions, one after the other. What is done is in the results file at once, so that a run that was
 * stopped can go on.
 *
 * @import { ResultRecord, Verdict } from '../../runner/judge/index.js'
 * @import { LessonEntry, LoadedLesson } from '../../runner/lesson/index.js'
 * @import { Sandbox } from './bubblewrap.js'
 *
 * @typedef {object} Grade of one submission
 * @property {string} learner the name of the folder
 * @property {{ id: string, number: number, title: string }} lesson
 * @property {string} hash of the submission's files; empty where it was refused
 * @property {Verdict} verdict
 * @property {string} reason
 * @property {boolean} verified
 * @property {boolean} [unbounded] but nothing bounded its memory
 * @property {ResultRecord | null} record null: none, and `reason` says why
 *
 * @typedef {{ learner: string, entry: LessonEntry, dir: string, isLink?: boolean }} Submission isLink: it, or its
 *   learner's folder
 *
 * @typedef {object} FolderOptions
 * @property {readonly Submission[]} submissions
 * @property {string} file of the results
 * @property {Sandbox} sandbox
 * @property {boolean} again also those that have a result
 * @property {number} [budgetMs] how long the rounds of each may take
 * @property {(submission: Submission) => void} onStart called for each that isn't done yet
 * @property {(grade: Grade) => void} onGrade
 * @property {AbortSignal} signal
 *
 * @param {FolderOptions} options
 * @returns {Promise<Grade[]>} one for each submission
 * @throws {WorkshopError} the results file can't be read or written; or the signal's reason
 */
export async function regradeFolder ({ submissions, file, again, onStart, onGrade, ...how }) {
  let kept = await readGrades(file)
  /** @type {Grade[]} */
  const grades = []
  for (const submission of submissions) {
    const { learner, dir, isLink } = submission
    const entry = await loadLesson(submission.entry)
    const { id, number, lesson: { title } } = entry
    const hash = isLink ? refusal(new WorkshopError(isNoFolder)) : await hashOf(dir).catch(refusal)
    const isSame = (/** @type {Grade} */ one) => one.learner === learner && one.lesson.id === id
    const before = kept.find((one) => isSame(one) && one.hash === hash)
    if (before && !again && isSettled(before, how.sandbox)) {
      grades.push(before)
      continue
    }
    onStart(submission)
    const graded = typeof hash === 'string' ? { hash, ...await gradeOf(entry, dir, how) } : { hash: '', ...hash }
    const grade = { learner, lesson: { id, number, title }, ...graded }
    grades.push(grade)
    onGrade(grade)
    kept = [...kept.filter((one) => !isSame(one)), grade]
    await writeFileAtomic(file, `${JSON.stringify({ version: 1, grades: kept }, null, 1)}\n`)
  }
  return grades
}

const isNoFolder = 'The submission, or its learner’s folder, is a link: hand in the folder itself.'

/** Once there's a sandbox, what was checked without is checked again. @param {Grade} grade @param {Sandbox} sandbox */
function isSettled ({ verdict, verified }, { kind }) {
  return (verdict === 'pass' || verdict === 'fail') && (verified || kind === 'none')
}

/**
 * @param {LoadedLesson} lesson
 * @param {string} dir
 * @param {Pick<FolderOptions, 'sandbox' | 'budgetMs' | 'signal'>} how
 */
async function gradeOf (lesson, dir, how) {
  try {
    const { record, verified, unbounded } = await regrade({ lesson, dir, ...how })
    return { verdict: record.verdict, reason: record.reason, verified, unbounded, record }
  } catch (error) {
    if (how.signal.aborted) throw error
    return refusal(error)
  }
}

/** The error is this learner's, and keeps nobody else from a grade. @param {any} error */
function refusal (error) {
  if (!(error instanceof WorkshopError)) throw error
  return { verdict: /** @type {const} */ ('error'), reason: error.message, verified: false, record: null }
}

/** @param {string} file @returns {Promise<Grade[]>} @throws {WorkshopError} */
async function readGrades (file) {
  const text = await fs.readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '{"version":1,"grades":[]}'
    throw new WorkshopError(`${shownPath(file)} can’t be read (${error.code}): name another file with --results.`)
  })
  try {
    const { version, grades } = JSON.parse(text)
    if (version === 1 && Array.isArray(grades)) return grades
  } catch {}
  throw new WorkshopError(`${shownPath(path.resolve(file))} isn’t a results file of this command: move it away, or ` +
    'name another one with --results.')
}

/** Reports are files with a learner's name, and a file's name has at most 255 bytes. */
const longestName = 200

/**
 * The submissions of a folder: `DIR/ada/lesson-4`, and with a lesson also `DIR/ada` itself.
 *
 * @param {string} dir
 * @param {{ lesson?: LessonEntry, env: NodeJS.ProcessEnv, onSkip?: (sentence: string) => void }} options lesson: this
 *   one only; onSkip: a folder isn't graded, and why
 * @returns {Promise<Submission[]>} by learner, then by lesson
 * @throws {WorkshopError} none found
 */
export async function findSubmissions (dir, { lesson, env, onSkip = () => {} }) {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) {
    throw new WorkshopError(`There is no folder ${shownPath(dir)}: name the one that holds a folder for each learner.`)
  }
  /** @type {Submission[]} */
  const found = []
  const readably = (/** @type {string} */ own) => {
    try {
      return foldersIn(own)
    } catch (error) {
      onSkip(`${shownPath(own)} can’t be read (${error.code}): nothing in it is graded.`)
      return []
    }
  }
  for (const learner of foldersIn(dir)) {
    const own = path.join(dir, learner)
    if (Buffer.byteLength(learner) > longestName) {
      onSkip(`${shownPath(own)} isn’t graded: its name has more than ${longestName} bytes.`)
      continue
    }
    /** By lesson. @type {Map<string, Submission>} */
    const wanted = new Map()
    for (const name of readably(own)) {
      const entry = await lessonOf(name, env)
      if (entry === null || (lesson !== undefined && entry.id !== lesson.id)) continue
      const one = { learner, entry, dir: path.join(own, name), isLink: isLink(own) || isLink(path.join(own, name)) }
      if (!wanted.has(entry.id)) wanted.set(entry.id, one)
      else onSkip(`${shownPath(one.dir)} isn’t graded: ${learner} has another folder for lesson ${entry.number}.`)
    }
    if (wanted.size === 0 && lesson !== undefined) {
      wanted.set(lesson.id, { learner, entry: lesson, dir: own, isLink: isLink(own) })
    }
    found.push(...[...wanted.values()].sort((a, b) => a.entry.number - b.entry.number))
  }
  if (found.length > 0) return found
  throw new WorkshopError(`There are no submissions in ${shownPath(dir)}: they are looked for in ` +
    'DIR/LEARNER/lesson-4/, and with --lesson 4 in DIR/LEARNER/.')
}

/** Sorted, with links. @param {string} dir */
function foldersIn (dir) {
  return readdirSync(dir, { withFileTypes: true })
    .filter((item) => (item.isDirectory() || item.isSymbolicLink()) && !item.name.startsWith('.'))
    .filter((item) => item.isDirectory() || isFolder(path.join(dir, item.name)))
    .map(({ name }) => name)
    .sort()
}

/** @param {string} place */
function isLink (place) {
  return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

/** @param {string} place */
function isFolder (place) {
  try {
    return statSync(place).isDirectory()
  } catch {
    return false
  }
}

/** @param {string} name @param {NodeJS.ProcessEnv} env @returns {Promise<LessonEntry | null>} null: it names none */
function lessonOf (name, env) {
  return resolveLesson(name, { env }).catch((error) => {
    if (error instanceof WorkshopError) return null
    throw error
  })
}
