import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import express from 'express'
import { assetRoutes, numberUpTo, oneOf, readJson, refuse, sendPicture, textUpTo } from '../http/index.js'
import { readHints, readText } from '../lesson/index.js'
import { filesToSubmit, submissionSentence } from '../seat/index.js'
import { submissionHash } from '../seat-and-room.js'
import { workshopRoot } from '../workshop.js'
import { changeNotes, openInEditor, readProgress, readTree } from '../workspace/index.js'
import { findComparison, listComparisons } from './comparisons.js'
import { readKind, readOptions, readServer } from './job-handlers.js'
import { openLesson, readComparison, readLesson, readLessonPage, readQuestions } from './page-data.js'
import {
  comparePage, comparisonPage, comparisonsPage, docPage, filesHtml, homePage, isDoc, lessonPage, markdownHtml,
  profilePage, roomParts
} from './pages/index.js'
import { pictureIn } from './pages/markdown.js'
import { readProfile, readReport } from './read-profile.js'

/**
 * What open pages request: JSON, and the events.
 *
 * @import { RequestHandler } from 'express'
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { Events } from './events.js'
 * @import { Jobs } from './jobs.js'
 * @import { State } from './page-data.js'
 * @import { Around } from './pages/room-bar.js'
 * @import { Classroom } from './seat-state.js'
 * @import { Doctor, Saves, Serving } from './serving.js'
 */

const mostBody = '16kb'
const longestSlug = 100
const mostPort = 65_535

/** @param {Workshop} workshop */
export function apiRoutes (workshop) {
  const { env, events, jobs, doctor, classroom, serving, readState } = workshop
  const api = express.Router()
  api.use(readJson(mostBody))

  api.get('/state', async (req, res) => res.json(await readState()))
  api.get('/events', (req, res) => {
    // A browser that reconnects by itself knows more than the address does.
    const lastId = req.get('Last-Event-ID') ?? String(req.query.after)
    return events.join(res, { lastId, isRunning: jobs.isBusy(), readState })
  })

  api.post('/jobs', async (req, res) => {
    const { job, isNew } = await startJob(req.body, workshop)
    res.status(isNew ? 202 : 200).json({ job })
  })
  api.delete('/jobs/current', (req, res) => res.json({ job: jobs.cancel() }))
  api.post('/served', async (req, res) => {
    const { lesson, port } = req.body
    if (port !== undefined) numberUpTo(port, mostPort, `A port is a number from 1 to ${mostPort}.`)
    const { server } = readServer(req.body)
    res.json({ served: await serving.start(await openLesson(String(lesson), env), { server, port }) })
  })
  api.delete('/served', async (req, res) => {
    await serving.stop()
    res.json({ served: null })
  })
  api.post('/fitness', (req, res) => {
    doctor.ask()
    res.status(202).json(doctor.read())
  })

  api.use('/class', classRoutes(classroom))

  /** @param {(asked: LessonRequest) => Promise<object>} answer @returns {RequestHandler<{ slug: string }>} */
  const ofLesson = (answer) => async (req, res) => {
    const entry = await openLesson(req.params.slug, env)
    res.json(await answer({ entry, body: req.body, workshop }))
  }
  api.get('/lessons/:slug', ofLesson(showLesson))
  api.post('/lessons/:slug/hint', ofLesson(showHint))
  api.post('/lessons/:slug/prediction', ofLesson(keepPrediction))
  api.post('/lessons/:slug/open', ofLesson(openFile))
  api.post('/lessons/:slug/solution', ofLesson(showSolution))
  api.post('/lessons/:slug/files-to-submit', ofLesson(listFiles))
  api.post('/lessons/:slug/submission', ofLesson(submitLesson))
  return api
}

/** @param {Workshop['classroom']} classroom */
function classRoutes (classroom) {
  const api = express.Router()
  const partsFor = async (/** @type {string} */ lesson) => {
    const parts = Object.entries(roomParts(await classroom.read(), lesson))
    return Object.fromEntries(parts.map(([name, html]) => [name, String(html)]))
  }

  api.post('/join', async (req, res) => {
    await classroom.join(req.body)
    res.json({ done: true })
  })
  api.post('/change', async (req, res) => {
    await classroom.change(req.body)
    res.json({ done: true })
  })
  api.post('/leave', async (req, res) => {
    await classroom.leave({ forget: req.body.forget === true })
    res.json({ done: true })
  })
  api.post('/ask', async (req, res) => {
    const lesson = lessonIn(req.body)
    await classroom.ask(lesson)
    res.json(await partsFor(lesson))
  })
  api.post('/hand', async (req, res) => {
    const lesson = lessonIn(req.body)
    await classroom.changeHand({ isUp: req.body.isUp === true, lesson })
    res.json(await partsFor(lesson))
  })
  api.post('/predict', async (req, res) => {
    const lesson = lessonIn(req.body)
    await classroom.predict({ lesson, ratio: req.body.ratio })
    res.json(await partsFor(lesson))
  })
  return api
}

/** @param {any} body @returns {string} slug of the page's lesson, or empty */
function lessonIn ({ lesson = '' }) {
  return textUpTo(lesson, longestSlug, 'A lesson is named by the last part of its address.')
}

/** @param {any} body @param {Workshop} workshop */
async function startJob (body, { env, jobs }) {
  const kind = readKind(body)
  const entry = await openLesson(String(body.lesson), env)
  return jobs.start(kind, entry, readOptions(kind, body, entry.lesson))
}

/**
 * The requests of a lesson's page. Each resolves to the JSON of the answer.
 *
 * @typedef {object} LessonRequest
 * @property {LoadedLesson} entry
 * @property {any} body as it came
 * @property {Workshop} workshop
 */

const longestPrediction = 2000
const mostLines = 1e6

/** @param {LessonRequest} request */
async function showLesson ({ entry, workshop: { saves } }) {
  saves.watch(entry)
  return readLesson(entry)
}

/** The next hint, which counts as shown. @param {LessonRequest} request */
async function showHint ({ entry }) {
  const hints = await readHints(entry)
  const number = Math.min((await readProgress(entry)).hints + 1, hints.length)
  await changeNotes(entry, () => ({ hints: number }))
  return { number, total: hints.length, html: markdownHtml(hints[number - 1], entry.id) }
}

/** @param {LessonRequest} request @throws with a status: it is no prediction */
async function keepPrediction ({ entry, body }) {
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
async function showSolution ({ entry }) {
  const { state } = await readProgress(entry)
  if (state !== 'pass') {
    const now = new Date().toISOString()
    await changeNotes(entry, ({ solutionShown }) => ({ solutionShown: solutionShown ?? now }))
  }
  return { shown: true }
}

/** What would be submitted, as a list for the page. @param {LessonRequest} request */
async function listFiles ({ entry, workshop }) {
  const files = await filesToSubmit(await workshop.openCopy(entry))
  return { html: String(filesHtml(files, submissionHash(files))) }
}

/** Submits what was listed, and nothing else. @param {LessonRequest} request @throws with a status */
async function submitLesson ({ entry, body: { hash }, workshop }) {
  const files = await filesToSubmit(await workshop.openCopy(entry))
  if (submissionHash(files) !== hash) {
    throw refuse(409, 'Your files have changed since they were listed, and nothing was sent: look at the list ' +
      'again.')
  }
  return { sentence: submissionSentence(await workshop.classroom.submit({ lesson: entry.id, files })) }
}

/** A report is one file with everything in it; it may draw itself, and reach nothing. */
const reportPolicy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; " +
  "frame-ancestors 'self'; sandbox allow-scripts"

const gzip = promisify(zlib.gzip)

/** Lesson packs have none. */
const docs = path.join(workshopRoot, 'docs')

/** The pages, and what they load. @param {Workshop} workshop */
export function siteRoutes ({ env, token, jobs, saves, classroom, doctor, readState }) {
  const site = express.Router()
  const around = async () => ({ token, classroom: await classroom.read(), fitness: doctor.read() })
  site.use(assetRoutes('web'))

  site.get('/', async (req, res) => {
    res.send(homePage({ token, ...await readState() }))
  })

  site.get('/docs/:name', async (req, res) => {
    const { name } = req.params
    if (!isDoc(name)) throw refuse(404, 'There is no such page: the first page has links to them all.')
    const text = await readText(path.join(docs, `${name}.md`), { root: workshopRoot })
    res.send(docPage({ ...await around(), name, text }))
  })

  site.get('/docs/files/*path', async (req, res) => {
    sendPicture(res, await pictureIn(docs, req.params.path))
  })

  site.get('/lessons/:slug', async (req, res) => {
    const entry = await openLesson(req.params.slug, env)
    if (req.params.slug !== entry.id) return res.redirect(`/lessons/${entry.id}`)
    saves.watch(entry)
    res.send(lessonPage({ ...await around(), ...await readLessonPage(entry, env, jobs.lastOf(entry.id)) }))
  })

  site.get('/lessons/:slug/compare', async (req, res) => {
    const other = oneOf(req.query.with ?? 'slow', ['slow', 'solution'], 'Yours is compared with slow or with solution.')
    const entry = await openLesson(req.params.slug, env)
    res.send(comparePage({ ...await around(), ...await readComparison(entry, other) }))
  })

  site.get('/lessons/:slug/profile', async (req, res) => {
    const entry = await openLesson(req.params.slug, env)
    const profile = await readProfile(entry, req.query)
    saves.watch(entry)
    res.send(profilePage({ ...await around(), ...profile }))
  })

  site.get('/lessons/:slug/profile/report', async (req, res) => {
    const { file } = await readReport(await openLesson(req.params.slug, env), req.query)
    await sendReport(req, res, file)
  })

  site.get('/lessons/:slug/files/*path', async (req, res) => {
    const { dir } = await openLesson(req.params.slug, env)
    sendPicture(res, await pictureIn(dir, req.params.path))
  })
  return site.use('/comparisons', comparisonRoutes({ env, jobs, around }))
}

/** @param {Pick<Workshop, 'env' | 'jobs'> & { around: () => Promise<Around> }} given */
function comparisonRoutes ({ env, jobs, around }) {
  const comparisons = express.Router()
  comparisons.get('/', async (req, res) => {
    res.send(comparisonsPage({ ...await around(), ...await listComparisons(env, jobs.current()) }))
  })

  comparisons.get('/:id', async (req, res) => {
    res.send(comparisonPage({ ...await around(), ...await findComparison(req.params.id, env, jobs.current()) }))
  })

  comparisons.get('/:id/report', async (req, res) => {
    const { profile } = await findComparison(req.params.id, env, null)
    if (profile === null) throw refuse(404, 'There’s no such profile.')
    await sendReport(req, res, profile.file)
  })
  return comparisons
}

/** @param {express.Request<any>} req @param {express.Response} res @param {string} file of a profile */
async function sendReport (req, res, file) {
  const report = await fs.readFile(file)
  res.set({ 'Content-Security-Policy': reportPolicy, Vary: 'Accept-Encoding' }).type('html')
  if (!req.acceptsEncodings('gzip')) return res.send(report)
  res.set('Content-Encoding', 'gzip').send(await gzip(report))
}

/**
 * @typedef {object} Workshop what the routes work with
 * @property {NodeJS.ProcessEnv} env
 * @property {string} token
 * @property {Events} events
 * @property {Jobs} jobs
 * @property {Doctor} doctor
 * @property {Classroom} classroom
 * @property {Saves} saves
 * @property {Serving} serving
 * @property {() => Promise<State>} readState
 * @property {() => Promise<void>} tellState to all pages that are open
 * @property {(entry: import('../lesson/index.js').LoadedLesson) => Promise<string>} openCopy the learner's folder
 */
