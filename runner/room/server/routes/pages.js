import fs from 'node:fs/promises'
import path from 'node:path'
import express from 'express'
import { readWhatIsSent } from '../../../what-is-sent.js'
import { workshopRoot } from '../../../workshop.js'
import { shownAddress } from '../../addresses.js'
import { boardPage, classPage, joinPage, projectorPage, slidesPage } from '../../pages/index.js'
import { qrSvg } from '../../qr.js'
import { projectorView, publicView } from '../../snapshot.js'

/**
 * The pages. Those of the room stand below its code; the instructor's holds nothing by itself.
 *
 * @import { RoomServer } from '../room-server.js'
 *
 * @param {RoomServer} server
 * @param {readonly string[]} origins
 */
export function pageRoutes ({ room, rejectUnknownCode, learners }, origins) {
  const pages = express.Router()
  const codeNow = () => room.state().settings.code
  const addressOf = (/** @type {import('express').Request} */ req) =>
    shownAddress({ learners: learners(), origins, code: codeNow(), host: req.get('Host') ?? '', at: req.query.at })

  pages.get('/class', (req, res) => res.send(classPage()))

  pages.param('code', async (req, res, next, code) => {
    // A browser also asks for an icon: that is no guess.
    if (!/^[a-z0-9]{4}-?[a-z0-9]{4}$/i.test(code)) return next('route')
    if (!room.isCode(code)) await rejectUnknownCode(code)
    next()
  })

  pages.get('/:code', async (req, res) => {
    const sent = await readWhatIsSent()
    res.send(joinPage({ address: addressOf(req), code: codeNow(), room: publicView(room.state()), sent }))
  })

  pages.get('/:code/board', (req, res) => {
    res.send(boardPage({ code: codeNow(), room: publicView(room.state()) }))
  })

  pages.get('/:code/projector', (req, res) => {
    const address = addressOf(req)
    const picture = `/${codeNow()}/qr.svg?at=${Math.max(0, learners().indexOf(address))}`
    res.send(projectorPage({ address, code: codeNow(), picture, room: projectorView(room.state()) }))
  })

  pages.get('/:code/slides', async (req, res) => {
    const text = await fs.readFile(path.join(workshopRoot, 'docs', 'teaching', 'slides.md'), 'utf8')
    res.send(slidesPage({ code: codeNow(), text, hasNotes: req.query.notes !== undefined }))
  })

  pages.get('/:code/qr.svg', async (req, res) => {
    res.type('image/svg+xml').send(await qrSvg(addressOf(req)))
  })
  return pages
}
