import express from 'express'
import { refuse } from '../../../http/index.js'
import { takeOne } from '../../derive/allowance.js'
import { learnerView, predictionFor } from '../../snapshot.js'

/** A whole day offline is sent at once; submissions are large, and a flood of them mustn't hold up reports. */
const rates = { usual: { most: 200, perSecond: 2 }, submissions: { most: 40, perSecond: 0.2 } }

/**
 * The requests of learners' machines: joining with the code, the rest with the token of their seat.
 *
 * @import { Request } from 'express'
 * @import { RoomServer } from '../room-server.js'
 * @import { LiveSeat, RoomState } from '../../context.js'
 *
 * @param {RoomServer} server
 */
export function learnerRoutes (server) {
  const { room, rejectUnknownCode } = server
  const api = express.Router()
  const seatOf = (/** @type {Request} */ req) => limitedSeat(server, req, 'usual')
  const view = (/** @type {LiveSeat} */ seat, more = {}) => ({ ...viewOf(room.state(), seat), ...more })

  api.post('/seats', async (req, res) => {
    if (!room.isCode(req.body.code)) await rejectUnknownCode(req.body.code)
    const { seat, token } = room.join(req.body, req.socket.remoteAddress ?? '')
    res.status(201).json(view(seat, { token }))
  })

  api.get('/seat', (req, res) => {
    const seat = seatOf(req)
    room.noteSign(seat, req.query)
    res.json(view(seat))
  })

  api.put('/seat/hand', (req, res) => {
    const seat = seatOf(req)
    room.raiseHand(seat, req.body)
    res.json(view(seat))
  })
  api.delete('/seat/hand', (req, res) => {
    const seat = seatOf(req)
    room.lowerHand(seat.id)
    res.json(view(seat))
  })

  api.put('/seat/prediction', (req, res) => {
    const seat = seatOf(req)
    room.predict(seat, req.body)
    res.json(view(seat))
  })

  api.patch('/seat', (req, res) => {
    const seat = seatOf(req)
    res.json(view(room.changeSeat(seat, req.body, `seat ${seat.id}`)))
  })

  api.delete('/seat', (req, res) => {
    // Deleting is never limited.
    const seat = room.seatOf(bearerOf(req))
    room.leave(seat)
    res.json({ left: true })
  })

  api.post('/seat/reports', async (req, res) => {
    const seat = seatOf(req)
    const isNew = await room.addReport(seat, req.body)
    res.status(202).json(view(seat, { isNew }))
  })

  api.post('/seat/submissions', (req, res) => {
    const { submission, isNew } = room.submit(room.seatOf(bearerOf(req)), req.body)
    res.status(202).json({ submission: room.ownSubmission(submission), isNew })
  })
  return api
}

/** @param {RoomServer} server @param {Request} req @param {keyof rates} of @returns {LiveSeat} */
function limitedSeat ({ room, now }, req, of) {
  const seat = room.seatOf(bearerOf(req))
  const allowance = takeOne(seat.allowances?.[of], now(), rates[of])
  if (allowance === null) throw refuse(429, 'Your workshop has sent too many requests: try again in a moment.')
  // By seat and not by address, since a whole room may share one.
  seat.allowances = { ...seat.allowances, [of]: allowance }
  return seat
}

/** @param {RoomState} state @param {LiveSeat} seat */
function viewOf (state, seat) {
  const { id, name, nickname, isOnBoard } = seat
  const own = { isHandUp: state.hands.has(id), prediction: predictionFor(state, seat) }
  return { name, nickname, isOnBoard, room: learnerView(state, id), ...own }
}

/** Runs before a long body is read. @param {RoomServer} server @returns {import('express').RequestHandler} */
export function limitSubmissions (server) {
  return (req, res, next) => {
    limitedSeat(server, req, 'submissions')
    next()
  }
}

/** @param {Request} req @returns {string} its token, or empty */
export function bearerOf (req) {
  const [, token = ''] = /^Bearer ([\w-]{1,100})$/.exec(req.get('Authorization') ?? '') ?? []
  return token
}
