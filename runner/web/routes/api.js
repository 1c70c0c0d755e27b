import path from 'node:path'
import express from 'express'
import { readHints } from '../../lesson/index.js'
import { changeNotes, openInEditor, readProgress, readTree } from '../../workspace/index.js'
import { profileTools } from '../jobs/handlers.js'
import { openLesson, readLesson, readSolution } from '../lessons.js'
import { markdownHtml } from '../pages/index.js'
import { refuse } from '../../http/index.js'

/** @import { Workshop } from '../workshop.js' */

const mostBody = '16kb'
const longestPrediction = 2000
const mostLines = 1e6
const kinds = ['check', 'preview', 'bench', 'profile']

/** What the pages ask for while they are open: JSON, and the events. @param {Workshop} workshop */
export function apiRoutes ({ env, events, jobs, doctor, classroom, saves, openCopy, readState, tellState }) {
  const api = express.Router()
  const entryOf = (/** @type {any} */ req) => openLesson(req.params.slug, env)

  // Whatever it calls itself, it is held to the limit.
  api.use(express.json({ limit: mostBody, type: () => true }))

  api.get('/state', async (/** @type {any} */ req, /** @type {any} */ res) => res.json(await readState()))

  api.get('/events', (/** @type {any} */ req, /** @type {any} */ res) => {
    // A browser that connects again by itself knows more than the address does.
    const lastId = req.get('Last-Event-ID') ?? String(req.query.after)
    return events.join(res, { lastId, isRunning: jobs.isBusy(), readState })
  })

  api.post('/jobs', async (/** @type {any} */ req, /** @type {any} */ res) => {
    const { kind, lesson, tool = profileTools[0], more = false } = req.body ?? {}
    if (!kinds.includes(kind)) throw refuse(400, `A job is one of ${kinds.join(', ')}.`)
    if (!profileTools.includes(tool)) throw refuse(400, `A profile is made with one of ${profileTools.join(', ')}.`)
    const entry = await openLesson(String(lesson), env)
    const { job, isNew } = jobs.start(kind, entry, {
      ...kind === 'profile' && { tool },
      ...kind === 'check' && more === true && { more }
    })
    res.status(isNew ? 202 : 200).json({ job })
  })

  api.delete('/jobs/current', (/** @type {any} */ req, /** @type {any} */ res) => res.json({ job: jobs.cancel() }))

  api.post('/fitness', (/** @type {any} */ req, /** @type {any} */ res) => {
    doctor.ask()
    res.status(202).json(doctor.read())
  })

  api.post('/class/:act', async (/** @type {any} */ req, /** @type {any} */ res) => {
    const { act } = req.params
    if (act === 'join') await classroom.join(req.body ?? {})
    else if (act === 'leave') await classroom.leave({ forget: req.body?.forget === true })
    else if (act === 'ask') await classroom.ask()
    else throw refuse(404, 'A class is joined, left or asked.')
    res.json({ done: true })
  })

  api.get('/lessons/:slug', async (/** @type {any} */ req, /** @type {any} */ res) => {
    const entry = await entryOf(req)
    saves.watch(entry)
    res.json(await readLesson(entry))
  })

  api.post('/lessons/:slug/hint', async (/** @type {any} */ req, /** @type {any} */ res) => {
    const entry = await entryOf(req)
    const hints = await readHints(entry)
    const number = Math.min((await readProgress(entry)).hints + 1, hints.length)
    await changeNotes(entry, () => ({ hints: number }))
    res.json({ number, total: hints.length, html: markdownHtml(hints[number - 1], entry.id) })
  })

  api.post('/lessons/:slug/prediction', async (/** @type {any} */ req, /** @type {any} */ res) => {
    const entry = await entryOf(req)
    const { time, growth = '' } = req.body ?? {}
    if ([time, growth].some((text) => typeof text !== 'string' || text.length > longestPrediction)) {
      throw refuse(400, `A prediction is two texts, each of up to ${longestPrediction} characters.`)
    }
    const given = { time: time.trim(), growth: growth.trim() }
    const prediction = given.time + given.growth === '' ? null : given
    await changeNotes(entry, () => ({ prediction }))
    res.json({ prediction })
  })

  api.post('/lessons/:slug/open', async (/** @type {any} */ req, /** @type {any} */ res) => {
    const entry = await entryOf(req)
    const { file = entry.file, line } = req.body ?? {}
    const dir = await openCopy(entry)
    if (file !== entry.file && !(await readTree(dir)).has(file)) throw refuse(404, 'Your copy has no such file.')
    if (line !== undefined && !(Number.isInteger(line) && line > 0 && line <= mostLines)) {
      throw refuse(400, `A line is a number from 1 to ${mostLines}.`)
    }
    const problem = await openInEditor(path.join(dir, file), env, { hasTerminal: false, line })
    if (problem !== null) throw refuse(409, problem)
    await tellState()
    res.json({ opened: true })
  })

  api.post('/lessons/:slug/solution', async (/** @type {any} */ req, /** @type {any} */ res) => {
    const entry = await entryOf(req)
    const { state } = await readProgress(entry)
    if (state !== 'pass') {
      const now = new Date().toISOString()
      await changeNotes(entry, ({ solutionShown }) => ({ solutionShown: solutionShown ?? now }))
    }
    const { files, text } = await readSolution(entry)
    res.json({ files, html: markdownHtml(text, entry.id) })
  })

  api.use(() => { throw refuse(404, 'The workshop has no such door.') })
  return api
}
