import express from 'express'
import { refuse } from '../../../http/index.js'
import { csvOf, jsonOf } from '../../export.js'
import { instructorView } from '../../snapshot.js'
import { bearerOf } from './learners.js'

/**
 * What the instructor's page asks for, with the instructor's secret as its token.
 *
 * @import { RoomServer } from '../room-server.js'
 *
 * @param {RoomServer} server
 */
export function instructorRoutes ({ room, store, live, learners, now }) {
  const api = express.Router()
  const view = () => instructorView(room.state(), now())
  const numberOf = (/** @type {any} */ req) => /^\d{1,9}$/.test(req.params.id) ? Number(req.params.id) : -1

  api.get('/', (/** @type {any} */ req, /** @type {any} */ res) => res.json(view()))
  api.get('/addresses', (/** @type {any} */ req, /** @type {any} */ res) => res.json({ learners }))
  api.get('/events', (/** @type {any} */ req, /** @type {any} */ res) => live.instructor.join(res))

  api.patch('/', (/** @type {any} */ req, /** @type {any} */ res) => {
    room.change(req.body)
    res.json(view())
  })

  api.patch('/seats/:id', (/** @type {any} */ req, /** @type {any} */ res) => {
    const { name } = room.rename(numberOf(req), { name: req.body?.name })
    res.json({ name })
  })

  api.delete('/seats/:id', (/** @type {any} */ req, /** @type {any} */ res) => {
    room.remove(numberOf(req))
    res.json({ removed: true })
  })

  api.post('/import', (/** @type {any} */ req, /** @type {any} */ res) => res.json(room.importFile(req.body)))

  api.get('/export.csv', (/** @type {any} */ req, /** @type {any} */ res) => {
    res.attachment('class.csv').type('text/csv').send(csvOf(room.state()))
  })
  api.get('/export.json', (/** @type {any} */ req, /** @type {any} */ res) => {
    res.attachment('class.json').json(jsonOf(room.state(), store))
  })
  return api
}

/** @param {RoomServer} server @returns {(req: any, res: any, next: () => void) => void} */
export function onlyInstructor ({ room }) {
  return (req, res, next) => {
    if (!room.isSecret(bearerOf(req))) {
      throw refuse(401, 'Only the instructor may: open the link that `npm run class` has printed.')
    }
    next()
  }
}
