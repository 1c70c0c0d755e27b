import express from 'express'
import { numberUpTo, readJson, textUpTo } from '../../http/index.js'
import { readKind, readOptions, readServer } from '../jobs/job-options.js'
import { openLesson } from '../page-data.js'
import { roomParts } from '../pages/index.js'
import {
  keepPrediction, listFiles, openFile, showHint, showLesson, showSolution, submitLesson
} from './lesson-requests.js'

/**
 * What open pages request: JSON, and the events.
 *
 * @import { RequestHandler } from 'express'
 * @import { Workshop } from '../workshop.js'
 * @import { LessonRequest } from './lesson-requests.js'
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
