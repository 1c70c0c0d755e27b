import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import express from 'express'
import { assetRoutes, isEqual, numberUpTo, oneOf, jsonBody, refuse, sendPicture, textUpTo } from '../http/index.js'
import { readHints, readText } from '../lesson/index.js'
import { keptLoops } from '../profiling/index.js'
import { filesToSubmit } from '../seat/index.js'
import { submissionHash } from '../shared/seat-and-room.js'
import { workshopRoot } from '../shared/workshop.js'
import { changeNotes, openInEditor, readProgress, readTree } from '../workspace/index.js'
import { byHandOf, sayResponse, sendOne, sendToBoth } from './by-hand.js'
import { readKind, readNodeFlags, readOptions, readServer } from './job-handlers.js'
import { openLesson, readLesson, readLessonPage, readQuestions, textOf } from './page-data.js'
import { diffPage, readDiff } from './pages/diff-page.js'
import { docPage, homePage, homeParts, readState } from './pages/home-page.js'
import { lessonPage, lessonParts } from './pages/lesson-page.js'
import { isDoc, pictureIn } from './pages/lesson-text.js'
import { profilePage, profileParts, readProfile, readReport } from './pages/profile-page.js'
import { progressParts } from './pages/workbench.js'
import { filesHtml, roomParts } from './pages/workshop-frame.js'

/**
 * The pages, and what open ones ask for.
 *
 * @import { Request } from 'express'
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { Jobs } from './jobs.js'
 * @import { Classroom } from './seat-state.js'
 * @import { Doctor, Page, PageStreams, Saves, Serving } from './serving.js'
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

/** Lesson packs have none. */
const docs = path.join(workshopRoot, 'docs')

/** The pages by their addresses. @param {Services} services @returns {Record<string, Page>} */
function pagesOf (services) {
  const { env, token, jobs, classroom, doctor, serving, saves } = services
  const around = async () => ({ token, classroom: await classroom.read(), fitness: doctor.read() })
  const openWatched = async (/** @type {Request<any>} */ { params: { slug } }) => {
    const entry = await openLesson(slug, env)
    saves.watch(entry)
    return entry
  }
  return {
    '/': { read: async () => ({ token, ...await readState(env, services) }), show: homePage, parts: homeParts },
    '/lessons/:slug': {
      read: async (req) => {
        const entry = await openWatched(req)
        const data = await readLessonPage(entry, env, jobs.lastOf(entry.id))
        const now = { job: jobs.current(), served: serving.read(), saved: saves.countOf(entry) }
        return { ...await around(), ...data, ...now, loopAt: keptLoops(entry)?.madeAt ?? null }
      },
      show: (lesson) => lessonPage(lesson, jobs),
      parts: lessonParts,
      progress: (lesson) => progressParts(lesson, jobs)
    },
    '/lessons/:slug/diff': {
      read: async ({ params: { slug }, query: { with: other = 'slow' } }) => {
        const both = /** @type {const} */ (['slow', 'solution'])
        const chosen = oneOf(other, both, 'Yours is compared with slow or with solution.')
        return { ...await around(), ...await readDiff(await openLesson(slug, env), chosen) }
      },
      show: diffPage
    },
    '/lessons/:slug/profile': {
      read: async (req) =>
        ({ ...await around(), ...await readProfile(await openWatched(req), req.query), job: jobs.current() }),
      show: profilePage,
      parts: profileParts
    },
    '/docs/:name': {
      read: async ({ params: { name } }) => {
        if (!isDoc(name)) throw refuse(404, 'There is no such page: the first page has links to them all.')
        return { ...await around(), name, text: await readText(path.join(docs, `${name}.md`), { root: workshopRoot }) }
      },
      show: docPage
    }
  }
}

const mostBody = '16kb'
const longestSlug = 100
const mostPort = 65_535

/** @param {Services} services */
export function apiRoutes (services) {
  const { env, jobs, doctor, classroom, serving } = services
  const api = express.Router()
  api.use(jsonBody(mostBody))
  api.get('/state', async (req, res) => {
    const { lesson, server, url } = serving.read() ?? {}
    res.json({ ...await readState(env, services), served: url === undefined ? null : { lesson, server, url } })
  })
  api.use('/parts', partRoutes(services))
  api.post('/jobs', async (req, res) => {
    const kind = readKind(req.body)
    const entry = await openLesson(String(req.body.lesson), env)
    const options = kind === 'load'
      ? await readLoad({ entry, body: req.body, services })
      : readOptions(kind, req.body, entry.lesson)
    const { job, isNew } = jobs.start(kind, entry, options)
    res.status(isNew ? 202 : 200).json({ job })
  })
  api.delete('/jobs/current', (req, res) => res.json({ job: jobs.cancel() }))
  api.post('/served', async (req, res) => {
    const { lesson, port, node } = req.body
    if (port !== undefined) numberUpTo(port, mostPort, `A port is a number from 1 to ${mostPort}.`)
    const asked = { ...readServer(req.body), port, nodeArgs: readNodeFlags(node) }
    const { server, url } = await serving.start(await openLesson(String(lesson), env), asked)
    res.json({ served: { lesson, server, url } })
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

  api.get('/lessons/:slug', async (req, res) => res.json(await readLesson(await openLesson(req.params.slug, env))))
  for (const [name, answer] of Object.entries(lessonRequests)) {
    api.post(`/lessons/:slug/${name}`, async (req, res) => {
      const entry = await openLesson(req.params.slug, env)
      res.json(await answer({ entry, body: req.body, services }))
    })
  }
  return api
}

/** The stream of each page that follows what happens, below the address of the page. @param {Services} services */
function partRoutes (services) {
  const { token, streams } = services
  const routes = express.Router()
  routes.use((req, res, next) => {
    if (!isEqual(req.get('X-Token') ?? '', token)) {
      throw refuse(403, 'This page is from before the workshop was restarted: reload it.')
    }
    next()
  })
  for (const [address, page] of Object.entries(pagesOf(services))) {
    if (page.parts !== undefined) routes.get(address, (req, res) => streams.follow(req, res, page))
  }
  return routes
}

/** @param {Services['classroom']} classroom */
function classRoutes (classroom) {
  const api = express.Router()
  for (const [name, act] of Object.entries(classroom.acts)) {
    api.post(`/${name}`, async ({ body }, res) => {
      const lesson = textUpTo(body.lesson ?? '', longestSlug, 'A lesson is named by the last part of its address.')
      await act(body, lesson)
      const parts = Object.entries(roomParts(await classroom.read(), lesson))
      res.json({ parts: Object.fromEntries(parts.map(([name, html]) => [name, String(html)])) })
    })
  }
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

/**
 * A command of the lesson's own text, for the server that its reader has started: nothing else is carried out.
 *
 * @param {LessonRequest} request
 * @throws with a status
 */
async function readByHand ({ entry, body: { line }, services: { serving } }) {
  const text = await readText(textOf(entry), entry)
  const isKnown = typeof line === 'string' && text.split('\n').some((one) => one.trim() === line)
  const command = isKnown ? byHandOf(line) : null
  if (command === null) throw refuse(400, 'Only commands of this lesson’s text can be run from here.')
  const served = serving.read()
  if (served?.lesson === entry.id) return { line, command, url: served.url, loads: served.loads }
  const needsNone = command.args?.every((arg) => !arg.includes('://'))
  if (!needsNone) throw refuse(409, 'No server of this lesson is running: start it first.')
  return { line, command, url: '', loads: new Map() }
}

/** @param {LessonRequest} request @returns {Promise<import('./job-handlers.js').JobOptions>} of a load */
async function readLoad (request) {
  const { line, url, loads } = await readByHand(request)
  const past = loads.get(line) ?? []
  loads.set(line, past)
  return { line, url, past }
}

/** One request of the text. @param {LessonRequest} request @throws with a status */
async function sendByHand (request) {
  const { command, url } = await readByHand(request)
  if (command.args) throw refuse(400, 'This is no request: run it as a load.')
  return { said: `It responded with ${sayResponse(await sendOne(url, command))}` }
}

/** The requests that show why a check failed, for both servers. @param {LessonRequest} request @throws with a status */
async function sendBoth ({ entry, body: { check: name }, services: { jobs } }) {
  if (jobs.isBusy()) throw refuse(409, 'Something is being measured: send them when it’s over.')
  const { last } = await readProgress(entry)
  const { preview } = jobs.lastOf(entry.id)
  for (const record of [preview, last]) {
    const at = record?.contract.findIndex((one) => one.name === name && one.status === 'fail') ?? -1
    if (record && at !== -1) {
      return { parts: { [`both ${name}`]: String(await sendToBoth(entry, record, record.contract[at])) } }
    }
  }
  throw refuse(404, 'There is no such failed check any more.')
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
    return { said: await services.classroom.submit({ lesson: entry.id, files }) }
  }
  const said = 'Your files have changed since they were listed, and nothing was sent: look at the list again.'
  return { said, ...await listFiles({ entry, body: {}, services }) }
}

/** By the last part of their address. @type {Record<string, (request: LessonRequest) => Promise<object>>} */
const lessonRequests = {
  hint: showHint,
  prediction: keepPrediction,
  open: openFile,
  send: sendByHand,
  both: sendBoth,
  solution: showSolution,
  'files-to-submit': listFiles,
  submission: submitLesson
}

/** A report is one file with everything in it; it may draw itself, and reach nothing. */
const reportPolicy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; " +
  "frame-ancestors 'self'; sandbox allow-scripts"

const gzip = promisify(zlib.gzip)

/** The pages, and what they load. @param {Services} services */
export function siteRoutes (services) {
  const { env } = services
  const site = express.Router()
  site.use(assetRoutes('runner/web'))
  for (const [address, { read, show }] of Object.entries(pagesOf(services))) {
    site.get(address, async (req, res) => {
      const data = await read(req)
      const { slug = data.slug } = req.params
      if (slug !== data.slug) return res.redirect(req.originalUrl.replace(slug, data.slug))
      res.send(show(data))
    })
  }
  site.get('/docs/files/*path', async (req, res) => {
    sendPicture(res, await pictureIn(docs, req.params.path))
  })
  site.get('/lessons/:slug/profile/report', async (req, res) => {
    const { file } = await readReport(await openLesson(req.params.slug, env), req.query)
    await sendReport(req, res, file)
  })
  site.get('/lessons/:slug/event-loop', async (req, res) => {
    const kept = keptLoops(await openLesson(req.params.slug, env))
    if (kept === null) throw refuse(404, 'No check has recorded an event loop yet.')
    await sendReport(req, res, kept.file)
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
