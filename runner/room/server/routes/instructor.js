import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import express from 'express'
import { refuse } from '../../../http/index.js'
import { csvOf, exportName, jsonOf } from '../../export.js'
import { readKey } from '../../key.js'
import { keyHtml, slidesWithNotes, talkHtml } from '../../pages/index.js'
import { readSlides } from '../../slides-text.js'
import { instructorView } from '../../snapshot.js'
import { readTalk } from '../../talk.js'
import { bearerOf } from './learners.js'

/**
 * The requests of the instructor's page, with the instructor's secret as its token.
 *
 * @import { RoomServer } from '../room-server.js'
 *
 * @param {RoomServer} server
 */
export function instructorRoutes (server) {
  const { room, live, learners } = server
  const api = express.Router()
  const view = () => instructorView(room.state())

  api.get('/', (req, res) => res.json(view()))
  api.get('/addresses', (req, res) => res.json({ learners: learners() }))
  api.get('/events', (req, res) => live.instructor.join(res))

  api.patch('/', (req, res) => {
    room.change(req.body)
    res.json(view())
  })

  api.post('/messages', (req, res) => res.status(201).json(room.sendMessage(req.body)))
  api.delete('/messages/:id', (req, res) => {
    room.endMessage(numberOf(req.params))
    res.json({ ended: true })
  })

  api.post('/code', (req, res) => {
    room.changeCode()
    // Their addresses hold the old code.
    for (const one of [live.public, live.projector]) one.cut()
    res.json(view())
  })
  api.post('/admit', (req, res) => {
    room.letMoreIn(req.body.address)
    res.json(view())
  })
  api.post('/import', (req, res) => res.json(room.importFile(req.body)))

  addTexts(api, server)
  addSeats(api, server)
  addSubmissions(api, server)
  addExports(api, server)
  return api
}

/** What is only read: slides, talks, the key. @param {express.Router} api @param {RoomServer} server */
function addTexts (api, { room, entries }) {
  api.get('/slides', async (req, res) => res.json(slidesWithNotes(await readSlides())))
  api.get('/talk', async (req, res) => {
    const { lesson, reason } = req.query
    const entry = entries.find(({ id }) => id === lesson)
    if (entry === undefined || typeof reason !== 'string') {
      throw refuse(400, 'Name a lesson of this room, and a reason.')
    }
    res.type('html').send(String(talkHtml({ number: entry.number, talk: await readTalk(entry, reason) })))
  })

  api.get('/key', async (req, res) => {
    const titles = new Map(room.state().lessons.map(({ number, title }) => [number, title]))
    const key = (await readKey(entries)).map((one) => ({ ...one, title: titles.get(one.number) ?? '' }))
    res.type('html').send(String(keyHtml(key)))
  })
}

/** @param {express.Router} api @param {RoomServer} server */
function addSeats (api, { room }) {
  api.patch('/seats/:id', (req, res) => {
    const { name } = room.rename(numberOf(req.params), { name: req.body.name })
    res.json({ name })
  })

  api.get('/seats/:id/history', (req, res) => res.json(room.history(numberOf(req.params))))

  api.delete('/seats/:id', (req, res) => {
    room.remove(numberOf(req.params))
    res.json({ removed: true })
  })

  api.delete('/seats/:id/hand', (req, res) => {
    room.takeHand(numberOf(req.params))
    res.json({ lowered: true })
  })

  api.post('/sweep', (req, res) => res.json({ removed: room.sweep(req.body) }))
  api.delete('/sweep', (req, res) => res.json({ back: room.undoSweep() }))
}

/** @param {express.Router} api @param {RoomServer} server */
function addSubmissions (api, { room }) {
  api.get('/submissions/:id', (req, res) => {
    const submission = room.showSubmission(numberOf(req.params))
    res.attachment(`submission-${submission.id}.json`).json(submission)
  })
  api.post('/submissions/grade-again', (req, res) => res.json({ queued: room.gradeAgain(req.body) }))
  api.put('/submissions/:id/cheat', (req, res) => {
    room.markCheat(numberOf(req.params), { evidence: String(req.body.evidence ?? '') })
    res.json({ isCheat: true })
  })
  api.delete('/submissions/:id/cheat', (req, res) => {
    room.markCheat(numberOf(req.params), { evidence: null })
    res.json({ isCheat: false })
  })
}

/** @param {express.Router} api @param {RoomServer} server */
function addExports (api, { room, store }) {
  api.get('/export.csv', (req, res) => {
    const state = room.state()
    res.attachment(exportName(state.now, 'csv')).type('text/csv').send(csvOf(state))
  })
  api.get('/export.json', (req, res) => {
    const state = room.state()
    res.attachment(exportName(state.now, 'json')).type('json')
    // A client that disconnects gets no answer.
    return pipeline(Readable.from(jsonOf(state, store)), res).catch(() => res.destroy())
  })
}

/** @param {{ id: string }} params @returns {number} of a seat or a message; -1: it can't be one */
function numberOf ({ id }) {
  return /^\d{1,9}$/.test(id) ? Number(id) : -1
}

/** @param {RoomServer} server @returns {import('express').RequestHandler} */
export function onlyInstructor ({ room }) {
  return (req, res, next) => {
    if (!room.isSecret(bearerOf(req))) {
      throw refuse(401, 'Only the instructor can see this: open the link from `npm run class`.')
    }
    next()
  }
}
