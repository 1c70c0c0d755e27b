import express from 'express'
import { projectorView, publicView } from '../../snapshot.js'

/**
 * What whoever knows the join code may see: messages, locks, the board, and the projector's view without names. The
 * code stands in the address, so that an EventSource can ask for it.
 *
 * @import { RoomServer } from '../room-server.js'
 *
 * @param {RoomServer} server
 */
export function publicRoutes ({ room, rejectUnknownCode, live }) {
  const api = express.Router()
  api.param('code', async (req, res, next, code) => {
    if (!room.isCode(code)) await rejectUnknownCode(code)
    next()
  })
  api.get('/:code', (req, res) => res.json(publicView(room.state())))
  api.get('/:code/events', (req, res) => live.public.join(res))
  api.get('/:code/projector', (req, res) => res.json(projectorView(room.state())))
  api.get('/:code/projector/events', (req, res) => live.projector.join(res))
  return api
}
