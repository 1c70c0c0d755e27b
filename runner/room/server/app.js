import express from 'express'
import { answerRest, assetRoutes, guard, readJson } from '../../http/index.js'
import { publicRoutes } from './routes/public.js'
import { instructorRoutes, onlyInstructor } from './routes/instructor.js'
import { learnerRoutes, limitSubmissions } from './routes/learners.js'
import { pageRoutes } from './routes/pages.js'

/**
 * @import { Allowed } from '../../http/index.js'
 * @import { RoomServer } from './room-server.js'
 */

const mostBody = '64kb'
/** A hundred or so records of a learner who was offline all day. */
const mostImport = '8mb'
/** 256 kB of text, much of it escaped. */
const mostSubmission = '512kb'
const missing = 'There’s nothing at this address.'

/**
 * @param {RoomServer} server
 * @param {Allowed} allowed which requests are accepted
 * @returns {import('node:http').RequestListener}
 */
export function createRoomApp (server, allowed) {
  const app = express()
  app.disable('x-powered-by')
  // What browsers may keep has a tag already.
  app.disable('etag')
  app.use(guard(allowed))
  app.use('/api/class', onlyInstructor(server))
  app.use('/api/class/import', readJson(mostImport))
  app.use('/api/seat/submissions', limitSubmissions(server), readJson(mostSubmission))
  app.use(readJson(mostBody))
  app.use('/api/class', instructorRoutes(server))
  app.use('/api/rooms', publicRoutes(server))
  app.use('/api', learnerRoutes(server))
  app.use(assetRoutes('room'))
  app.use(pageRoutes(server, allowed.origins))
  app.use(...answerRest(server.env, { missing, home: null }))
  return app
}
