import path from 'node:path'
import { numberUpTo, refuse, textUpTo } from '../../http/index.js'
import { readHints } from '../../lesson/index.js'
import { filesToSubmit, submissionSentence } from '../../seat/index.js'
import { submissionHash } from '../../submitted-files.js'
import { changeNotes, openInEditor, readProgress, readTree } from '../../workspace/index.js'
import { readLesson, readQuestions } from '../page-data.js'
import { filesHtml, markdownHtml } from '../pages/index.js'

/**
 * The requests of a lesson's page. Each resolves to the JSON of the answer.
 *
 * @import { LoadedLesson } from '../../lesson/index.js'
 * @import { Workshop } from '../workshop.js'
 *
 * @typedef {object} LessonRequest
 * @property {LoadedLesson} entry
 * @property {any} body as it came
 * @property {Workshop} workshop
 */

const longestPrediction = 2000
const mostLines = 1e6

/** @param {LessonRequest} request */
export async function showLesson ({ entry, workshop: { saves } }) {
  saves.watch(entry)
  return readLesson(entry)
}

/** The next hint, which counts as shown. @param {LessonRequest} request */
export async function showHint ({ entry }) {
  const hints = await readHints(entry)
  const number = Math.min((await readProgress(entry)).hints + 1, hints.length)
  await changeNotes(entry, () => ({ hints: number }))
  return { number, total: hints.length, html: markdownHtml(hints[number - 1], entry.id) }
}

/** @param {LessonRequest} request @throws with a status: it is no prediction */
export async function keepPrediction ({ entry, body }) {
  const questions = (await readQuestions(entry)).flatMap((group) => group.questions)
  const sentence = `A prediction has ${questions.length} answers, each of up to ${longestPrediction} characters.`
  if (!Array.isArray(body.answers) || body.answers.length !== questions.length) throw refuse(400, sentence)
  const prediction = questions.map((question, at) =>
    ({ question, answer: textUpTo(body.answers[at], longestPrediction, sentence).trim() }))
  if (prediction.every(({ answer }) => answer === '')) {
    throw refuse(400, 'There’s nothing to save yet: answer at least one question, as a guess.')
  }
  await changeNotes(entry, () => ({ prediction }))
  return { prediction }
}

/** Opens a file of the learner's copy in their editor. @param {LessonRequest} request @throws with a status */
export async function openFile ({ entry, body: { file = entry.file, line }, workshop }) {
  const dir = await workshop.openCopy(entry)
  if (file !== entry.file && !(await readTree(dir)).has(file)) throw refuse(404, 'Your copy has no such file.')
  if (line !== undefined) numberUpTo(line, mostLines, `A line is a number from 1 to ${mostLines}.`)
  const problem = await openInEditor(path.join(dir, file), workshop.env, { hasTerminal: false, line })
  if (problem !== null) throw refuse(409, problem)
  await workshop.tellState()
  return { opened: true }
}

/** The solution counts as shown from now on, unless the lesson is passed. @param {LessonRequest} request */
export async function showSolution ({ entry }) {
  const { state } = await readProgress(entry)
  if (state !== 'pass') {
    const now = new Date().toISOString()
    await changeNotes(entry, ({ solutionShown }) => ({ solutionShown: solutionShown ?? now }))
  }
  return { shown: true }
}

/** What would be submitted, as a list for the page. @param {LessonRequest} request */
export async function listFiles ({ entry, workshop }) {
  const files = await filesToSubmit(await workshop.openCopy(entry))
  return { html: String(filesHtml(files, submissionHash(files))) }
}

/** Submits what was listed, and nothing else. @param {LessonRequest} request @throws with a status */
export async function submitLesson ({ entry, body: { hash }, workshop }) {
  const files = await filesToSubmit(await workshop.openCopy(entry))
  if (submissionHash(files) !== hash) {
    throw refuse(409, 'Your files have changed since they were listed, and nothing was sent: look at the list ' +
      'again.')
  }
  return { sentence: submissionSentence(await workshop.classroom.submit({ lesson: entry.id, files })) }
}
