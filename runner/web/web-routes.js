import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import express from 'express'
import { assetRoutes, isEqual, numberUpTo, oneOf, jsonBody, refuse, sendPicture, textUpTo } from '../http/index.js'
import { readHints, readText } from '../lesson/index.js'
import { filesToSubmit, submissionSentence } from '../seat/index.js'
import { submissionHash } from '../shared/seat-and-room.js'
import { workshopRoot } from '../shared/workshop.js'
import { changeNotes, openInEditor, readProgress, readTree } from '../workspace/index.js'
import { readKind, readOptions, readServer } from './job-handlers.js'
import { openLesson, readDiff, readLesson, readLessonPage, readQuestions, readState } from './page-data.js'
import {
  diffPage, docPage, filesHtml, homePage, homeParts, isDoc, lessonPage, lessonParts, pictureIn, profilePage,
  profileParts, progressParts, roomParts
} from './pages/index.js'
import { readProfile, readReport } from './read-profile.js'

/**
 * What open pages ask for, and the pages.
 *
 * @import { RequestHandler } from 'express'
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { Jobs } from './jobs.js'
 * @import { Classroom } from './seat-state.js'
 * @import { Doctor, PageStreams, Saves, Serving } from './serving.js'
 *
 * @typedef {object} Services what the routes work with
 * @property {NodeJS.ProcessEnv} env
 * @property {string} token
 * @property {PageStreams} streams
 * @property {Jobs} jobs
 * @property {Doctor} doctor
 * @property {Classroom} classroom
 * @property {Saves} saves
 * @property {Serving} serving
 * @property {() => void} onChange what open pages show may have changed
 * @property {(entry: LoadedLesson) => Promise<string>} openCopy the learner's folder
 */

const mostBody = '16kb'
const longestSlug = 100
const mostPort = 65_535

/** @param {Services} services */
export function apiRoutes (services) {
  const { env, jobs, doctor, classroom, serving } = services
  const api = express.Router()
  api.use(jsonBody(mostBody))
  api.get('/state', async (req, res) => res.json({ ...await readState(env, services), served: serving.read() }))
  api.use('/parts', partRoutes(services))
  api.post('/jobs', async (req, res) => {
    const kind = readKind(req.body)
    const entry = await openLesson(String(req.body.lesson), env)
    const { job, isNew } = jobs.start(kind, entry, readOptions(kind, req.body, entry.lesson))
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
    res.json(await answer({ entry, body: req.body, services }))
  }
  api.get('/lessons/:slug', ofLesson(({ entry }) => readLesson(entry)))
  api.post('/lessons/:slug/hint', ofLesson(showHint))
  api.post('/lessons/:slug/prediction', ofLesson(keepPrediction))
  api.post('/lessons/:slug/open', ofLesson(openFile))
  api.post('/lessons/:slug/solution', ofLesson(showSolution))
  api.post('/lessons/:slug/files-to-submit', ofLesson(listFiles))
  api.post('/lessons/:slug/submission', ofLesson(submitLesson))
  return api
}

/** The stream of each page that follows what happens, below the address of the page. @param {Services} services */
function partRoutes (services) {
  const { env, token, streams, jobs, saves } = services
  const { around, readShown } = readersOf(services)
  const routes = express.Router()
  routes.use((req, res, next) => {
    if (!isEqual(req.get('X-Token') ?? '', token)) {
      throw refuse(403, 'This page is from before the workshop was restarted: reload it.')
    }
    next()
  })
  routes.get('/', (req, res) => streams.follow(res, { read: async () => homeParts(await readState(env, services)) }))
  routes.get('/lessons/:slug', async (req, res) => {
    const entry = await openLesson(req.params.slug, env)
    saves.watch(entry)
    /** @type {Awaited<ReturnType<typeof readShown>>} */
    let lesson
    await streams.follow(res, {
      read: async () => lessonParts(lesson = await readShown(entry)),
      readProgress: () => progressParts(lesson, jobs)
    })
  })
  routes.get('/lessons/:slug/profile', async (req, res) => {
    const entry = await openLesson(req.params.slug, env)
    saves.watch(entry)
    await streams.follow(res, {
      read: async () => profileParts({ ...await around(), ...await readProfile(entry, req.query), job: jobs.current() })
    })
  })
  return routes
}

/** @param {Services} services */
function readersOf ({ env, token, jobs, classroom, doctor, serving, saves }) {
  const around = async () => ({ token, classroom: await classroom.read(), fitness: doctor.read() })
  return {
    around,
    readShown: async (/** @type {LoadedLesson} */ entry) => ({
      ...await around(),
      ...await readLessonPage(entry, env, jobs.lastOf(entry.id)),
      job: jobs.current(),
      served: serving.read(),
      saved: saves.countOf(entry)
    })
  }
}

/** @param {Services['classroom']} classroom */
function classRoutes (classroom) {
  const api = express.Router()
  /** @param {(body: any, lesson: string) => unknown} act @returns {RequestHandler} */
  const doing = (act) => async (req, res) => {
    const lesson = textUpTo(req.body.lesson ?? '', longestSlug, 'A lesson is named by the last part of its address.')
    await act(req.body, lesson)
    const parts = Object.entries(roomParts(await classroom.read(), lesson))
    res.json({ parts: Object.fromEntries(parts.map(([name, html]) => [name, String(html)])) })
  }
  api.post('/join', doing((body) => classroom.join(body)))
  api.post('/change', doing((body) => classroom.change(body)))
  api.post('/leave', doing(({ forget }) => classroom.leave({ forget: forget === true })))
  api.post('/ask', doing((body, lesson) => classroom.ask(lesson)))
  api.post('/hand', doing(({ isUp }, lesson) => classroom.changeHand({ isUp: isUp === true, lesson })))
  api.post('/predict', doing(({ ratio }, lesson) => classroom.predict({ lesson, ratio })))
  return api
}

/**
 * The requests of a lesson's page. Each resolves to the JSON of the response, for `data-ask` (`http/browser.js`).
 *
 * @typedef {object} LessonRequest
 * @property {LoadedLesson} entry
 * @property {any} body as it came
 * @property {Services} services
 */

const longestPrediction = 2000
const mostLines = 1e6

/** The next hint, which counts as shown. @param {LessonRequest} request */
async function showHint ({ entry, services }) {
  const number = Math.min((await readProgress(entry)).hints + 1, (await readHints(entry)).length)
  await changeNotes(entry, () => ({ hints: number }))
  services.onChange()
  return { number, focus: `hint-${number}` }
}

/** @param {LessonRequest} request @throws with a status: it is no prediction */
async function keepPrediction ({ entry, body, services }) {
  const questions = (await readQuestions(entry)).flatMap((group) => group.questions)
  const sentence = `A prediction has ${questions.length} answers, each of up to ${longestPrediction} characters.`
  const answers = [body.answers].flat()
  if (answers.length !== questions.length) throw refuse(400, sentence)
  const prediction = questions.map((question, at) =>
    ({ question, answer: textUpTo(answers[at], longestPrediction, sentence).trim() }))
  if (prediction.every(({ answer }) => answer === '')) {
    throw refuse(400, 'There’s nothing to save yet: answer at least one question, as a guess.')
  }
  await changeNotes(entry, () => ({ prediction }))
  services.onChange()
  return { prediction, said: 'Prediction saved.', focus: 'panel-prediction' }
}

/** Opens a file of the learner's copy in their editor. @param {LessonRequest} request @throws with a status */
export async function openFile ({ entry, body: { file = entry.file, line }, services }) {
  const dir = await services.openCopy(entry)
  // The copy is there now, whether an editor opens it or not.
  services.onChange()
  if (file !== entry.file && !(await readTree(dir)).has(file)) throw refuse(404, 'Your copy has no such file.')
  if (line !== undefined) numberUpTo(line, mostLines, `A line is a number from 1 to ${mostLines}.`)
  const problem = await openInEditor(path.join(dir, file), services.env, { hasTerminal: false, line })
  if (problem !== null) throw refuse(409, problem)
  return { said: 'It’s open in your editor.' }
}

/** The solution counts as shown from now on, unless the lesson is passed. @param {LessonRequest} request */
async function showSolution ({ entry }) {
  const { state } = await readProgress(entry)
  if (state !== 'pass') {
    const now = new Date().toISOString()
    await changeNotes(entry, ({ solutionShown }) => ({ solutionShown: solutionShown ?? now }))
  }
  return { go: `/lessons/${entry.id}/diff?with=solution` }
}

/** What would be submitted, as a list for the page. @param {LessonRequest} request */
async function listFiles ({ entry, services }) {
  const files = await filesToSubmit(await services.openCopy(entry))
  return { parts: { files: String(filesHtml(entry.id, files, submissionHash(files))) } }
}

/** Submits what was listed, and nothing else. @param {LessonRequest} request */
async function submitLesson ({ entry, body: { hash }, services }) {
  const files = await filesToSubmit(await services.openCopy(entry))
  if (submissionHash(files) === hash) {
    return { said: submissionSentence(await services.classroom.submit({ lesson: entry.id, files })) }
  }
  const said = 'Your files have changed since they were listed, and nothing was sent: look at the list again.'
  return { said, ...await listFiles({ entry, body: {}, services }) }
}

/** A report is one file with everything in it; it may draw itself, and reach nothing. */
const reportPolicy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; " +
  "frame-ancestors 'self'; sandbox allow-scripts"

const gzip = promisify(zlib.gzip)

/** Lesson packs have none. */
const docs = path.join(workshopRoot, 'docs')

/** The pages, and what they load. @param {Services} services */
export function siteRoutes (services) {
  const { env, token, saves } = services
  const { around, readShown } = readersOf(services)
  const site = express.Router()
  site.use(assetRoutes('runner/web'))

  site.get('/', async (req, res) => {
    res.send(homePage({ token, ...await readState(env, services) }))
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
    res.send(lessonPage(await readShown(entry), services.jobs))
  })

  site.get('/lessons/:slug/diff', async (req, res) => {
    const other = oneOf(req.query.with ?? 'slow', ['slow', 'solution'], 'Yours is compared with slow or with solution.')
    const entry = await openLesson(req.params.slug, env)
    res.send(diffPage({ ...await around(), ...await readDiff(entry, other) }))
  })

  site.get('/lessons/:slug/profile', async (req, res) => {
    const entry = await openLesson(req.params.slug, env)
    saves.watch(entry)
    res.send(profilePage({ ...await around(), ...await readProfile(entry, req.query), job: services.jobs.current() }))
  })

  site.get('/lessons/:slug/profile/report', async (req, res) => {
    const { file } = await readReport(await openLesson(req.params.slug, env), req.query)
    await sendReport(req, res, file)
  })

  site.get('/lessons/:slug/files/*path', async (req, res) => {
    const { dir } = await openLesson(req.params.slug, env)
    sendPicture(res, await pictureIn(dir, req.params.path))
  })
  return site
}

/** @param {express.Request<any>} req @param {express.Response} res @param {string} file of a profile */
async function sendReport (req, res, file) {
  const report = await fs.readFile(file)
  res.set({ 'Content-Security-Policy': reportPolicy, Vary: 'Accept-Encoding' }).type('html')
  if (!req.acceptsEncodings('gzip')) return res.send(report)
  res.set('Content-Encoding', 'gzip').send(await gzip(report))
}
