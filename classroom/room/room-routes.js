import { plural } from '../../runner/shared/format.js'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import express from 'express'
import { createKept, isEqual, refuse } from '../../runner/http/index.js'
import { readText, sectionsIn } from '../../runner/lesson/index.js'
import { capabilitiesOf, formatWhen } from '../../runner/report/index.js'
import { readWhatIsSent } from '../../runner/shared/seat-and-room.js'
import { classPage, seatsFor } from './class-page.js'
import { shownAddress } from './entrance.js'
import { csvOf, jsonOf } from './class-files.js'
import { importFile, readOne } from './inbox.js'
import { takeOne } from './names.js'
import { answersHtml, boardPage, joinPage, projectorPage } from './public-pages.js'
import { seatDialogHtml } from './seat-page.js'
import { changeSeat, historyOf, join, leave, removeSeat, renameSeat, seatOf, sweep, undoSweep } from './seats.js'
import {
  changeCode, changeSettings, endMessage, isCode, lowerHand, noteSign, predict, raiseHand, sendMessage, takeHand
} from './settings.js'
import { instructorView, learnerView, predictionFor, projectorView, publicView } from './room-views.js'
import { gradeAgain, markCheat, ownSubmission, showSubmission, submit } from './submissions.js'

/**
 * @import { Request } from 'express'
 * @import { PartStream } from '../../runner/http/index.js'
 * @import { LessonEntry } from '../../runner/lesson/index.js'
 * @import { Report } from './store.js'
 * @import { Parts } from './public-pages.js'
 * @import { LiveSeat, Room } from './room-state.js'
 */

/** A whole day offline is sent at once; submissions are large, and a flood of them mustn't hold up reports. */
const rates = { usual: { most: 200, perSecond: 2 }, submissions: { most: 40, perSecond: 0.2 } }

/**
 * The requests of learners' machines: joining with the code, the rest with the token of their seat.
 *
 * @param {RoomServer} server
 */
export function learnerRoutes (server) {
  const { room, rejectUnknownCode } = server
  const api = express.Router()
  const own = (/** @type {Request} */ req) => limitedSeat(room, req, 'usual')
  const view = (/** @type {LiveSeat} */ seat, more = {}) => ({ ...viewOf(room, seat), ...more })

  api.post('/seats', async (req, res) => {
    if (!isCode(room, req.body.code)) await rejectUnknownCode(req.body.code)
    const { seat, token } = join(room, req.body, req.socket.remoteAddress ?? '')
    res.status(201).json(view(seat, { token }))
  })

  api.get('/seat', (req, res) => {
    const seat = own(req)
    noteSign(room, seat, req.query)
    res.json(view(seat))
  })

  /** @param {(room: Room, seat: LiveSeat, given: any) => void} verb @returns {import('express').RequestHandler} */
  const change = (verb) => (req, res) => {
    const seat = own(req)
    verb(room, seat, req.body)
    res.json(view(seat))
  }
  api.put('/seat/hand', change(raiseHand))
  api.delete('/seat/hand', change((_, { id }) => lowerHand(room, id)))
  api.put('/seat/prediction', change(predict))

  api.patch('/seat', (req, res) => {
    const seat = own(req)
    res.json(view(changeSeat(room, seat, req.body, `seat ${seat.id}`)))
  })

  api.delete('/seat', (req, res) => {
    // Deleting is never limited.
    leave(room, seatOf(room, bearerOf(req)))
    res.json({ left: true })
  })

  api.post('/seat/reports', async (req, res) => {
    const seat = own(req)
    const isNew = await server.put(readOne(room, seat, req.body, 'reported'))
    res.status(202).json(view(seat, { isNew }))
  })

  api.post('/seat/submissions', (req, res) => {
    const { submission, isNew } = submit(room, seatOf(room, bearerOf(req)), req.body)
    res.status(202).json({ submission: ownSubmission(room, submission), isNew })
  })
  return api
}

/** @param {Room} room @param {Request} req @param {keyof rates} of @returns {LiveSeat} */
function limitedSeat (room, req, of) {
  const seat = seatOf(room, bearerOf(req))
  const allowance = takeOne(seat.allowances[of], room.now(), rates[of])
  if (allowance === null) throw refuse(429, 'Your workshop has sent too many requests: try again in a moment.')
  // By seat and not by address, since a whole room may share one.
  seat.allowances[of] = allowance
  return seat
}

/** @param {Room} room @param {LiveSeat} seat */
function viewOf (room, seat) {
  const { id, name, nickname, isOnBoard } = seat
  const own = { isHandUp: room.hands.has(id), prediction: predictionFor(room, seat) }
  return { name, nickname, isOnBoard, room: { ...learnerView(room, id), ...own } }
}

/** Runs before a long body is read. @param {RoomServer} server @returns {import('express').RequestHandler} */
export function limitSubmissions (server) {
  return (req, res, next) => {
    limitedSeat(server.room, req, 'submissions')
    next()
  }
}

/** @param {Request} req @returns {string} its token, or empty */
function bearerOf (req) {
  const [, token = ''] = /^Bearer ([\w-]{1,100})$/.exec(req.get('Authorization') ?? '') ?? []
  return token
}

/**
 * The pages. The room's are below its code; the instructor's contain no data.
 *
 * @param {RoomServer} server
 * @param {readonly string[]} origins
 */
export function pageRoutes ({ room, rejectUnknownCode, learners, live }, origins) {
  const pages = express.Router()
  const sendKept = createKept()
  const codeNow = () => room.settings().code
  const addressOf = (/** @type {import('express').Request} */ req) =>
    shownAddress({ learners: learners(), origins, code: codeNow(), host: req.get('Host') ?? '', at: req.query.at })

  pages.get('/class', (req, res) => res.send(classPage()))

  pages.param('code', async (req, res, next, code) => {
    // A browser also requests an icon: that isn't a guess.
    if (!/^[a-z0-9]{4}-?[a-z0-9]{4}$/i.test(code)) return next('route')
    if (!isCode(room, code)) await rejectUnknownCode(code)
    next()
  })

  /**
   * @param {'public' | 'projector'} of whose parts it shows
   * @param {(given: { address: string, code: string, parts: Parts }) => string | Promise<string>} make
   * @returns {import('express').RequestHandler}
   */
  const page = (of, make) => async (req, res) => {
    const { version, parts } = await live[of].now()
    const [address, code] = [addressOf(req), codeNow()]
    const key = `${req.route.path} ${address}`
    return sendKept(req, res, { key, version, type: 'html' }, () => make({ address, code, parts }))
  }
  pages.get('/:code', page('public', async (given) => joinPage({ ...given, sent: await readWhatIsSent() })))
  pages.get('/:code/board', page('public', boardPage))
  pages.get('/:code/projector', page('projector', (given) => {
    const at = Math.max(0, learners().indexOf(given.address))
    return projectorPage({ ...given, picture: `/${given.code}/qr.svg?at=${at}` })
  }))

  pages.get('/:code/qr.svg', (req, res) => {
    const address = addressOf(req)
    return sendKept(req, res, { key: `picture ${address}`, version: 0, type: 'svg' }, () => qrSvg(address))
  })
  return pages
}

/**
 * The join code gives access to messages, locks, the board, and the projector's view without names. The code is in the
 * address, because pages of the room are opened with it.
 *
 * @param {RoomServer} server
 */
export function publicRoutes ({ room, rejectUnknownCode, live }) {
  const api = express.Router()
  const sendKept = createKept()
  /** @param {string} key @param {(room: Room) => unknown} view @returns {import('express').RequestHandler} */
  const sendView = (key, view) => (req, res) =>
    sendKept(req, res, { key, version: room.version(), type: 'json' }, () => JSON.stringify(view(room)))
  api.param('code', async (req, res, next, code) => {
    if (!isCode(room, code)) await rejectUnknownCode(code)
    next()
  })
  api.get('/:code', sendView('public', publicView))
  api.get('/:code/events', (req, res) => live.public.join(res))
  api.get('/:code/projector', sendView('projector', projectorView))
  api.get('/:code/projector/events', (req, res) => live.projector.join(res))
  return api
}

/** The requests of the instructor's page, with the instructor's secret as its token. @param {RoomServer} server */
export function instructorRoutes (server) {
  const { room, live, learners } = server
  const api = express.Router()
  const view = () => ({ ...instructorView(room), learners: learners() })

  api.get('/', (req, res) => res.json(view()))

  api.get('/events', (req, res) => live.instructor.join(res))

  /** @param {(body: any) => void} verb @returns {import('express').RequestHandler} */
  const change = (verb) => (req, res) => {
    verb(req.body)
    res.json(view())
  }
  api.patch('/', change((body) => changeSettings(room, body)))
  api.put('/now', change(({ lesson, text, minutes }) => changeSettings(room,
    lesson === '' ? { timer: { text, minutes } } : { timer: null, current: { lesson, minutes } })))

  api.post('/messages', (req, res) => {
    const { to = 'all' } = req.body
    const seats = typeof to === 'string' ? seatsFor(to, view()) : to
    res.status(201).json(sendMessage(room, { ...req.body, to: seats }))
  })
  api.delete('/messages/:id', done((id) => endMessage(room, id)))

  api.post('/code', change(() => {
    changeCode(room)
    // Their addresses hold the old code.
    for (const one of [live.public, live.projector]) one.cut()
  }))
  api.post('/admit', change(({ address }) => {
    room.admission.letMoreIn(address)
    room.onChange()
  }))
  api.post('/import', (req, res) => {
    const imported = importFile(room, req.body)
    res.json({ ...imported, said: importedText(imported) })
  })

  api.get('/key', async (req, res) => {
    const titles = new Map(room.lessons.map(({ number, title }) => [number, title]))
    const key = (await readAnswers(server.entries)).map((one) => ({ ...one, title: titles.get(one.number) ?? '' }))
    res.type('html').send(String(answersHtml(key)))
  })

  addSeats(api, server)
  addSubmissions(api, server)
  addExports(api, server)
  return api
}

/** @param {(id: number, body: any) => void} verb of a seat, message … @returns {import('express').RequestHandler} */
function done (verb) {
  return (req, res) => {
    verb(numberOf(req.params), req.body)
    res.json({ done: true })
  }
}

/** @param {express.Router} api @param {RoomServer} server */
function addSeats (api, { room }) {
  api.patch('/seats/:id', (req, res) => res.json({ name: renameSeat(room, numberOf(req.params), req.body.name).name }))

  api.get('/seats/:id', (req, res) => {
    const id = numberOf(req.params)
    const checks = historyOf(room, id)
    const { seats, lessons } = instructorView(room)
    const seat = /** @type {typeof seats[0]} */ (seats.find((one) => one.id === id))
    res.type('html').send(String(seatDialogHtml(seat, checks, lessons)))
  })

  api.delete('/seats/:id', done((id) => removeSeat(room, id)))
  api.delete('/seats/:id/hand', done((id) => takeHand(room, id)))

  api.post('/sweep', (req, res) => {
    const removed = sweep(room, req.body)
    res.json({ removed, said: removed > 0 ? '' : 'No seat joined after that without reporting.' })
  })
  api.delete('/sweep', (req, res) => res.json({ back: undoSweep(room) }))
}

/** @param {express.Router} api @param {RoomServer} server */
function addSubmissions (api, { room }) {
  api.get('/submissions/:id', (req, res) => {
    const submission = showSubmission(room, numberOf(req.params))
    res.attachment(`submission-${submission.id}.json`).json(submission)
  })
  api.post('/submissions/grade-again', (req, res) => {
    const { lesson, ...more } = req.body
    res.json({ queued: gradeAgain(room, lesson === '' ? { all: true } : { lesson, ...more }) })
  })
  api.put('/submissions/:id/cheat', done((id, { evidence = '' }) => markCheat(room, id, String(evidence))))
  api.delete('/submissions/:id/cheat', done((id) => markCheat(room, id, null)))
}

/** @param {express.Router} api @param {RoomServer} server */
function addExports (api, { room }) {
  const name = () => `class-${formatWhen(room.now()).split(' ')[0]}`
  api.get('/export.csv', (req, res) =>
    res.attachment(`${name()}.csv`).type('text/csv').send(csvOf(room)))
  api.get('/export.json', (req, res) => {
    res.attachment(`${name()}.json`).type('json')
    // A client that disconnects gets no response.
    return pipeline(Readable.from(jsonOf(room)), res).catch(() => res.destroy())
  })
}

/** @param {ReturnType<typeof importFile>} imported @returns {string} sentences */
function importedText ({ name, added, known, refused }) {
  return [
    `${plural(added, 'new check')} of ${name}, ${known} known before.`,
    ...refused.length > 0 ? [`${plural(refused.length, 'check')} refused: ${refused[0]}`] : []
  ].join(' ')
}

/** @param {any} params @returns {number} of a seat or a message; -1: it can't be one */
function numberOf ({ id }) {
  return /^\d{1,9}$/.test(id) ? Number(id) : -1
}

/** @param {RoomServer} server @returns {import('express').RequestHandler} */
export function onlyInstructor ({ room }) {
  return (req, res, next) => {
    if (!isEqual(bearerOf(req), room.settings().secret)) {
      throw refuse(401, 'Only the instructor can see this: open the link from `npm run class`.')
    }
    next()
  }
}

/**
 * @typedef {object} RoomServer what the routes work with
 * @property {Room} room
 * @property {(report: Report) => Promise<boolean>} put a report; is it new?
 * @property {(code: unknown) => Promise<never>} rejectUnknownCode responds to a wrong code
 * @property {Record<'public' | 'projector' | 'instructor', PartStream>} live
 * @property {readonly LessonEntry[]} entries of the room's lessons
 * @property {() => string[]} learners their addresses, each with the code
 * @property {NodeJS.ProcessEnv} env
 */

/**
 * The answers to the lessons' questions in *Fix it*, from their write-ups.
 *
 * @param {readonly LessonEntry[]} entries
 * @returns {Promise<{ number: number, answers: string }[]>} answers: Markdown; lessons without any are left out
 */
export async function readAnswers (entries) {
  const all = await Promise.all(entries.map(async (entry) => {
    const text = await readText(path.join(entry.solutionDir, 'README.md'), entry).catch(() => '')
    const found = sectionsIn(text).find(({ title }) => title.startsWith('The questions'))
    return { number: entry.number, answers: (found?.text ?? '').replace(/^## .*\n/, '').trim() }
  }))
  return all.filter(({ answers }) => answers !== '')
}

/**
 * A QR code for a terminal.
 *
 * @param {string} text
 * @param {{ write: (text: string) => unknown, columns?: number, isTTY?: boolean }} output
 * @returns {Promise<string | null>} lines; null: it can't be shown, or the package that draws it is missing
 */
export async function qrText (text, output) {
  const { columns, unicode, live } = capabilitiesOf(output)
  const uqr = unicode && live ? await import('uqr').catch(() => null) : null
  const lines = uqr?.renderUnicodeCompact(text, { border: 2 }).split('\n').map((line) => `  ${line}`)
  return lines && lines[0].length <= columns ? lines.join('\n') : null
}

/** The same for a page. @param {string} text @returns {Promise<string>} SVG */
async function qrSvg (text) {
  return (await import('uqr')).renderSVG(text, { border: 2 })
}
