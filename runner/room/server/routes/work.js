import express from 'express'
import { isEqual, refuse } from '../../../http/index.js'
import { bearerOf } from './learners.js'

/**
 * The requests of workers, with the secret of the room's workers.
 *
 * @import { RoomServer } from '../room-server.js'
 *
 * @param {RoomServer} server
 */
export function workRoutes ({ room: { work } }) {
  const api = express.Router()
  api.post('/claim', (req, res) => res.json(work.claim(req.body)))
  for (const verb of /** @type {const} */ (['renew', 'finish', 'fail', 'release'])) {
    api.post(`/${verb}`, (req, res) => res.json({ isTaken: work[verb](req.body) }))
  }
  return api
}

/** @param {RoomServer} server @returns {import('express').RequestHandler} */
export function onlyWorkers ({ workerSecret }) {
  return (req, res, next) => {
    if (!isEqual(bearerOf(req), workerSecret)) {
      throw refuse(401, 'This isn’t the secret of this room’s workers: it’s in the file worker-secret of its folder.')
    }
    next()
  }
}
