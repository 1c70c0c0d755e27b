import express from 'express'
import { answerRest, guard } from '../http/index.js'
import { apiRoutes } from './routes/api.js'
import { siteRoutes } from './routes/site.js'

/**
 * @import { Allowed } from '../http/index.js'
 * @import { Workshop } from './workshop.js'
 */

const missing = 'There is no such page: the first page lists all lessons.'

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
  app.use(...answerRest(workshop.env, { missing, home: '/' }))
  return app
}
