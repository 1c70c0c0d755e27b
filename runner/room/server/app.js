import express from 'express'
import { answerError, assetRoutes, guard, refuse } from '../../http/index.js'
import { refusalPage } from '../pages/index.js'
import { publicRoutes } from './routes/public.js'
import { instructorRoutes, onlyInstructor } from './routes/instructor.js'
import { learnerRoutes } from './routes/learners.js'
import { pageRoutes } from './routes/pages.js'

/**
 * @import { Allowed } from '../../http/index.js'
 * @import { RoomServer } from './room-server.js'
 */

const mostBody = '64kb'
/** Some hundred records of somebody who sat apart from the network all day. */
const mostImport = '8mb'
const missing = 'The room has no such door.'

/**
 * @param {RoomServer} server
 * @param {Allowed} allowed who may ask
 * @returns {import('node:http').RequestListener}
 */
export function createRoomApp (server, allowed) {
  const app = express()
  // Whatever it calls itself, it is held to the limit.
  const json = (/** @type {string} */ limit) => express.json({ limit, type: () => true })
  app.disable('x-powered-by')
  app.use(guard(allowed))
  app.use('/api/class', onlyInstructor(server))
  app.use('/api/class/import', json(mostImport))
  app.use(json(mostBody))
  app.use('/api/class', instructorRoutes(server))
  app.use('/api/rooms', publicRoutes(server))
  app.use('/api', learnerRoutes(server))
  app.use(assetRoutes('room'))
  app.use(pageRoutes(server, allowed.origins))
  app.use(() => { throw refuse(404, missing) })
  app.use(answerError(server.env, { missing, page: refusalPage }))
  return app
}
