import express from 'express'
import { oneOf, readJson, textUpTo } from '../../http/index.js'
import { profileTools } from '../jobs/handlers.js'
import { openLesson } from '../lessons.js'
import { roomParts } from '../pages/index.js'
import { keepPrediction, openFile, showHint, showLesson, showSolution } from './lesson-requests.js'

/**
 * What the pages ask for while they are open: JSON, and the events.
 *
 * @import { RequestHandler } from 'express'
 * @import { JobKind } from '../../system/index.js'
 * @import { Workshop } from '../workshop.js'
 * @import { LessonRequest } from './lesson-requests.js'
 */

const mostBody = '16kb'
const longestSlug = 100
/** @type {readonly JobKind[]} */
const kinds = ['check', 'preview', 'bench', 'profile']

/** @param {Workshop} workshop */
export function apiRoutes (workshop) {
  const { env, events, jobs, doctor, classroom, readState } = workshop
  const api = express.Router()
  const partsFor = async (/** @type {string} */ lesson) => {
    const parts = Object.entries(roomParts(await classroom.read(), lesson))
    return Object.fromEntries(parts.map(([name, html]) => [name, String(html)]))
  }
  api.use(readJson(mostBody))

  api.get('/state', async (req, res) => res.json(await readState()))
  api.get('/events', (req, res) => {
    // A browser that connects again by itself knows more than the address does.
    const lastId = req.get('Last-Event-ID') ?? String(req.query.after)
    return events.join(res, { lastId, isRunning: jobs.isBusy(), readState })
  })

  api.post('/jobs', async (req, res) => {
    const { job, isNew } = await startJob(req.body, workshop)
    res.status(isNew ? 202 : 200).json({ job })
  })
  api.delete('/jobs/current', (req, res) => res.json({ job: jobs.cancel() }))
  api.post('/fitness', (req, res) => {
    doctor.ask()
    res.status(202).json(doctor.read())
  })

  api.post('/class/join', async (req, res) => {
    await classroom.join(req.body)
    res.json({ done: true })
  })
  api.post('/class/change', async (req, res) => {
    await classroom.change(req.body)
    res.json({ done: true })
  })
  api.post('/class/leave', async (req, res) => {
    await classroom.leave({ forget: req.body.forget === true })
    res.json({ done: true })
  })
  api.post('/class/ask', async (req, res) => {
    const lesson = lessonIn(req.body)
    await classroom.ask(lesson)
    res.json(await partsFor(lesson))
  })
  api.post('/class/hand', async (req, res) => {
    const lesson = lessonIn(req.body)
    await classroom.changeHand({ isUp: req.body.isUp === true, lesson })
    res.json(await partsFor(lesson))
  })
  api.post('/class/predict', async (req, res) => {
    const lesson = lessonIn(req.body)
    await classroom.predict({ lesson, ratio: req.body.ratio })
    res.json(await partsFor(lesson))
  })

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
  return api
}

/** @param {any} body @returns {string} slug of the page's lesson; empty: it has none */
function lessonIn ({ lesson = '' }) {
  return textUpTo(lesson, longestSlug, 'A lesson is named by the last part of its address.')
}

/** @param {any} body @param {Workshop} workshop */
async function startJob ({ kind: asked, lesson, tool = profileTools[0], more = false }, { env, jobs }) {
  const kind = oneOf(asked, kinds, `A job is one of ${kinds.join(', ')}.`)
  oneOf(tool, profileTools, `A profile is made with one of ${profileTools.join(', ')}.`)
  return jobs.start(kind, await openLesson(String(lesson), env), {
    ...kind === 'profile' && { tool },
    ...kind === 'check' && more === true && { more }
  })
}
