import express from 'express'
import { createKept } from '../../../http/index.js'

/**
 * What the join code gives access to: messages, locks, the board, and the projector's view without names. The
 * code is in the address, because an EventSource can't send headers.
 *
 * @import { RoomServer } from '../room-server.js'
 *
 * @param {RoomServer} server
 */
export function publicRoutes ({ room, rejectUnknownCode, live }) {
  const api = express.Router()
  const sendKept = createKept()
  /** @param {'public' | 'projector'} name @returns {import('express').RequestHandler} */
  const sendView = (name) => (req, res) => {
    const { text, version } = live[name].now()
    return sendKept(req, res, { key: name, version, type: 'json' }, () => text)
  }
  api.param('code', async (req, res, next, code) => {
    if (!room.isCode(code)) await rejectUnknownCode(code)
    next()
  })
  api.get('/:code', sendView('public'))
  api.get('/:code/events', (req, res) => live.public.join(res))
  api.get('/:code/projector', sendView('projector'))
  api.get('/:code/projector/events', (req, res) => live.projector.join(res))
  return api
}
