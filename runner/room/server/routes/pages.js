import path from 'node:path'
import express from 'express'
import { createKept, sendPicture } from '../../../http/index.js'
import { readWhatIsSent } from '../../../what-is-sent.js'
import { shownAddress } from '../../addresses.js'
import { boardPage, classPage, joinPage, presenterPage, projectorPage, slidesPage } from '../../pages/index.js'
import { qrSvg } from '../../qr.js'
import { readSlides } from '../../slides-text.js'
import { workshopRoot } from '../../../workshop.js'

/**
 * The pages. The room's are below its code; the instructor's contain no data.
 *
 * @import { RoomServer } from '../room-server.js'
 *
 * @param {RoomServer} server
 * @param {readonly string[]} origins
 */
export function pageRoutes ({ room, rejectUnknownCode, learners, live }, origins) {
  const pages = express.Router()
  const sendKept = createKept()
  const codeNow = () => room.state().settings.code
  const addressOf = (/** @type {import('express').Request} */ req) =>
    shownAddress({ learners: learners(), origins, code: codeNow(), host: req.get('Host') ?? '', at: req.query.at })

  pages.get('/class', (req, res) => res.send(classPage()))
  pages.get('/class/slides', (req, res) => res.send(presenterPage()))

  pages.get('/pictures/:lesson/:name', (req, res) => {
    const { lesson, name } = req.params
    const isDrawing = /^[\w-]+$/.test(lesson) && /^[\w-]+\.svg$/.test(name)
    sendPicture(res, isDrawing ? path.join(workshopRoot, 'lessons', lesson, 'pictures', name) : null)
  })

  pages.param('code', async (req, res, next, code) => {
    // A browser also requests an icon: that isn't a guess.
    if (!/^[a-z0-9]{4}-?[a-z0-9]{4}$/i.test(code)) return next('route')
    if (!room.isCode(code)) await rejectUnknownCode(code)
    next()
  })

  pages.get('/:code', (req, res) => {
    const { version } = live.public.now()
    const address = addressOf(req)
    return sendKept(req, res, { key: `join ${address}`, version, type: 'html' }, async () =>
      joinPage({ address, code: codeNow(), room: live.public.view(), sent: await readWhatIsSent() }))
  })

  pages.get('/:code/board', (req, res) => {
    const { version } = live.public.now()
    return sendKept(req, res, { key: `board ${codeNow()}`, version, type: 'html' }, () =>
      boardPage({ code: codeNow(), room: live.public.view() }))
  })

  pages.get('/:code/projector', (req, res) => {
    const { version } = live.projector.now()
    const address = addressOf(req)
    const picture = `/${codeNow()}/qr.svg?at=${Math.max(0, learners().indexOf(address))}`
    return sendKept(req, res, { key: `projector ${address}`, version, type: 'html' }, () =>
      projectorPage({ address, code: codeNow(), picture, room: live.projector.view() }))
  })

  pages.get('/:code/slides', (req, res) =>
    sendKept(req, res, { key: 'slides', version: codeNow(), type: 'html' }, async () =>
      slidesPage({ code: codeNow(), text: await readSlides() })))

  pages.get('/:code/qr.svg', (req, res) => {
    const address = addressOf(req)
    return sendKept(req, res, { key: `picture ${address}`, version: 0, type: 'svg' }, () => qrSvg(address))
  })
  return pages
}
