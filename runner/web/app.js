// @ts-expect-error express brings no types
import express from 'express'
import { WorkshopError } from '../errors.js'
import { guard, isApi } from './guard.js'
import { errorPage } from './pages/index.js'
import { apiRoutes } from './routes/api.js'
import { siteRoutes } from './routes/site.js'

/**
 * @import { Events } from './events.js'
 * @import { Doctor } from './fitness.js'
 * @import { Allowed } from './guard.js'
 * @import { Jobs } from './jobs/jobs.js'
 * @import { Saves } from './saves.js'
 * @import { State } from './lessons.js'
 *
 * @typedef {object} Workshop what the routes work with
 * @property {NodeJS.ProcessEnv} env
 * @property {string} token
 * @property {Events} events
 * @property {Jobs} jobs
 * @property {Doctor} doctor
 * @property {Saves} saves
 * @property {() => Promise<State>} readState
 * @property {() => Promise<void>} tellState to all pages that are open
 * @property {(entry: import('../lesson/index.js').LoadedLesson) => Promise<string>} openCopy the learner's folder
 */

/**
 * @param {Workshop} workshop
 * @param {Allowed} allowed who may ask
 * @returns {import('node:http').RequestListener}
 */
export function createApp (workshop, allowed) {
  const app = express()
  app.disable('x-powered-by')
  app.use(guard(allowed))
  app.use('/api', apiRoutes(workshop))
  app.use(siteRoutes(workshop))
  app.use(answerError(workshop.env))
  return app
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {(error: any, req: any, res: any, next: (error: unknown) => void) => void}
 */
function answerError (env) {
  return (error, req, res, next) => {
    if (res.headersSent) return next(error)
    const status = error.status ?? (error instanceof WorkshopError ? 409 : 500)
    const message = sentenceOf(error, status)
    if (status >= 500 && env.MAKE_IT_FAST_DEBUG === '1') console.error(error)
    res.status(status)
    if (isApi(req.path)) res.json({ error: message })
    else res.send(errorPage({ title: status === 404 ? 'Not found' : 'That did not work', message }))
  }
}

/** @param {any} error @param {number} status */
function sentenceOf (error, status) {
  if (error instanceof WorkshopError) return error.message
  if (status === 413) return 'That is too long: 16 kB are the most.'
  if (status === 404) return 'There is no such page: the first page lists all lessons.'
  if (status < 500) return 'This request makes no sense here.'
  return 'This is a fault of the workshop, not of your server. Started with MAKE_IT_FAST_DEBUG=1, it shows where: ' +
    error.message
}
