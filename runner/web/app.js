import express from 'express'
import { answerRest, guard } from '../http/index.js'
import { apiRoutes } from './routes/api.js'
import { siteRoutes } from './routes/site.js'
import { signIn } from './sign-in/sign-in.js'

/**
 * @import { Allowed } from '../http/index.js'
 * @import { Workshop } from './workshop.js'
 */

const missing = 'There is no such page: the first page lists all lessons.'

/**
 * @param {Workshop} workshop
 * @param {Allowed} allowed which requests are accepted
 * @param {Parameters<typeof signIn>[0]} browsers which browsers are signed in
 * @returns {import('node:http').RequestListener}
 */
export function createApp (workshop, allowed, browsers) {
  const app = express()
  app.disable('x-powered-by')
  app.use(guard(allowed), signIn(browsers))
  app.use('/api', apiRoutes(workshop))
  app.use(siteRoutes(workshop))
  app.use(...answerRest(workshop.env, { missing, home: '/' }))
  return app
}
