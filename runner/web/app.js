import express from 'express'
import { answerError, guard } from '../http/index.js'
import { errorPage } from './pages/index.js'
import { apiRoutes } from './routes/api.js'
import { siteRoutes } from './routes/site.js'

/**
 * @import { Allowed } from '../http/index.js'
 * @import { Workshop } from './workshop.js'
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
