// @ts-expect-error express brings no types
import express from 'express'
import { answerError, guard } from '../http/index.js'
import { errorPage } from './pages/index.js'
import { apiRoutes } from './routes/api.js'
import { siteRoutes } from './routes/site.js'

/**
 * @import { Classroom } from './classroom.js'
 * @import { Events } from './events.js'
 * @import { Doctor } from './fitness.js'
 * @import { Allowed } from '../http/index.js'
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
 * @property {Classroom} classroom
 * @property {Saves} saves
 * @property {() => Promise<State>} readState
 * @property {() => Promise<void>} tellState to all pages that are open
 * @property {(entry: import('../lesson/index.js').LoadedLesson) => Promise<string>} openCopy the learner's folder
 */

const noSuchPage = 'There is no such page: the first page lists all lessons.'

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
  app.use(answerError(workshop.env, { missing: noSuchPage, page: errorPage }))
  return app
}
