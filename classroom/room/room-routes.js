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
import { shownAddress, takeOne } from './entrance.js'
import { importFile, readOne } from './inbox.js'
import { answersHtml, boardPage, joinPage, projectorPage } from './public-pages.js'
import { seatDialogHtml } from './seat-page.js'
import { changeSeat, historyOf, join, leave, removeSeat, renameSeat, seatOf, sweep, undoSweep } from './seats.js'
import {
  changeCode, changeSettings, endMessage, isCode, lowerHand, noteSign, predict, raiseHand, sendMessage, takeHand
} from './settings.js'
import {
  csvOf, instructorView, jsonOf, learnerView, predictionFor, projectorView, publicView
} from './room-views.js'
import { gradeAgain, markCheat, showSubmission, submit } from './submissions.js'

/**
 * @import { Request, RequestHandler, Response } from 'express'
 * @import { PartStream } from '../../runner/http/index.js'
 * @import { LessonEntry } from '../../runner/lesson/index.js'
 * @import { Report } from './store.js'
 * @import { Parts } from './public-pages.js'
 * @import { LiveSeat, Room } from './room-state.js'
 */

/** A whole day offline is sent at once; submissions are large, and a flood of them mustn't hold up reports. */
const rates = { usual: { most: 200, perSecond: 2 }, submissions: { most: 40, perSecond: 0.2 } }

/**
 * Does what a request asks for.
 *
 * @callback Verb
 * @param {any} given the fields of its query and its body, and the id in its path: -1 if it can't be one
 * @param {Response} res
 * @param {Request} req
 * @returns {unknown} the JSON of the response, or a promise of it; undefined: it's done; `res`: it has been sent
 */

/** @param {Record<string, Verb>} verbs by method and path */
function routerOf (verbs) {
  const router = express.Router()
  for (const [name, verb] of Object.entries(verbs)) {
    const [method, place] = name.split(' ')
    const route = /** @type {Record<string, any>} */ (router.route(place))
    route[method.toLowerCase()](async (/** @type {Request} */ req, /** @type {Response} */ res) => {
      const id = String(req.params.id ?? '')
      const numbered = id === '' ? {} : { id: /^\d{1,9}$/.test(id) ? Number(id) : -1 }
      const given = { ...req.query, ...req.body, ...numbered }
      const said = await verb(given, res, req)
      if (said !== res) res.json(said ?? { done: true })
    })
  }
  return router
}

/**
 * The requests of learners' machines: joining with the code, the rest with the token of their seat.
 *
 * @param {RoomServer} server
 */
export function learnerRoutes ({ room, put, rejectUnknownCode }) {
  /** @param {(room: Room, seat: LiveSeat, given: any) => LiveSeat | void} act @returns {Verb} */
  const change = (act) => (given, res, req) => {
    const seat = limitedSeat(room, req, 'usual')
    return viewOf(room, act(room, seat, given) ?? seat)
  }
  return routerOf({
    'POST /seats': async (given, res, req) => {
      if (!isCode(room, given.code)) await rejectUnknownCode(given.code)
      const { seat, token } = join(room, given, req.socket.remoteAddress ?? '')
      res.status(201)
      return { ...viewOf(room, seat), token }
    },
    'GET /seat': change(noteSign),
    'PATCH /seat': change(changeSeat),
    // Deleting is never limited.
    'DELETE /seat': (given, res, req) => {
      leave(room, seatOf(room, bearerOf(req)))
      return { left: true }
    },
    'PUT /seat/hand': change(raiseHand),
    'DELETE /seat/hand': change((_, { id }) => lowerHand(room, id)),
    'PUT /seat/prediction': change(predict),
    'POST /seat/reports': async (given, res, req) => {
      const seat = limitedSeat(room, req, 'usual')
      const isNew = await put(readOne(room, seat, given, 'reported'))
      res.status(202)
      return { ...viewOf(room, seat), isNew }
    },
    'POST /seat/submissions': (given, res, req) => {
      res.status(202)
      return submit(room, seatOf(room, bearerOf(req)), given)
    }
  })
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

/** Runs before a long body is read. @param {RoomServer} server @returns {RequestHandler} */
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
  const addressOf = (/** @type {Request} */ req) =>
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
   * @returns {RequestHandler}
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
    return sendKept(req, res, { key: `picture ${address}`, version: 0, type: 'svg' },
      async () => (await import('uqr')).renderSVG(address, { border: 2 }))
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
  const sendKept = createKept()
  /** @param {string} key @param {(room: Room) => unknown} view @returns {Verb} */
  const sendView = (key, view) => sends((res, req) =>
    sendKept(req, res, { key, version: room.version(), type: 'json' }, () => JSON.stringify(view(room))))
  const router = routerOf({
    'GET /:code': sendView('public', publicView),
    'GET /:code/events': sends(live.public.join),
    'GET /:code/projector': sendView('projector', projectorView),
    'GET /:code/projector/events': sends(live.projector.join)
  })
  return router.param('code', async (req, res, next, code) => {
    if (!isCode(room, code)) await rejectUnknownCode(code)
    next()
  })
}

/** @param {(res: Response, req: Request) => unknown} send @returns {Verb} */
function sends (send) {
  return async (given, res, req) => {
    await send(res, req)
    return res
  }
}

/** The requests of the instructor's page, with the instructor's secret as its token. @param {RoomServer} server */
export function instructorRoutes ({ room, live, learners, entries }) {
  const view = () => ({ ...instructorView(room), learners: learners() })
  /** @param {(given: any) => void} act @returns {Verb} */
  const change = (act) => (given) => {
    act(given)
    return view()
  }
  const fileName = () => `class-${formatWhen(room.now()).split(' ')[0]}`
  return routerOf({
    'GET /': view,
    'GET /events': sends(live.instructor.join),
    'PATCH /': change((given) => changeSettings(room, given)),
    'PUT /now': change(({ lesson, text, minutes }) => changeSettings(room,
      lesson === '' ? { timer: { text, minutes } } : { timer: null, current: { lesson, minutes } })),
    'POST /messages': ({ to = 'all', ...given }, res) => {
      res.status(201)
      return sendMessage(room, { ...given, to: typeof to === 'string' ? seatsFor(to, view()) : to })
    },
    'DELETE /messages/:id': ({ id }) => endMessage(room, id),
    'POST /code': change(() => {
      changeCode(room)
      // Their addresses hold the old code.
      for (const one of [live.public, live.projector]) one.cut()
    }),
    'POST /admit': change(({ address }) => {
      room.admission.letMoreIn(address)
      room.onChange()
    }),
    'POST /import': (given) => {
      const imported = importFile(room, given)
      return { ...imported, said: importedText(imported) }
    },
    'GET /key': async (given, res) => sendHtml(res, answersHtml(await readAnswers(entries), room.lessons)),
    'GET /seats/:id': ({ id }, res) => sendHtml(res, seatDialog(room, id)),
    'PATCH /seats/:id': ({ id, name }) => ({ name: renameSeat(room, id, name).name }),
    'DELETE /seats/:id': ({ id }) => removeSeat(room, id),
    'DELETE /seats/:id/hand': ({ id }) => takeHand(room, id),
    'POST /sweep': (given) => {
      const removed = sweep(room, given)
      return { removed, said: removed > 0 ? '' : 'No seat joined after that without reporting.' }
    },
    'DELETE /sweep': () => ({ back: undoSweep(room) }),
    'GET /submissions/:id': ({ id }, res) => {
      const submission = showSubmission(room, id)
      res.attachment(`submission-${id}.json`)
      return submission
    },
    'POST /submissions/grade-again': (given) =>
      ({ queued: gradeAgain(room, given.lesson === '' ? { all: true } : given) }),
    'PUT /submissions/:id/cheat': ({ id, evidence = '' }) => markCheat(room, id, String(evidence)),
    'DELETE /submissions/:id/cheat': ({ id }) => markCheat(room, id, null),
    'GET /export.csv': (given, res) => res.attachment(`${fileName()}.csv`).type('text/csv').send(csvOf(room)),
    'GET /export.json': (given, res) => {
      res.attachment(`${fileName()}.json`).type('json')
      // A client that disconnects gets no response.
      return pipeline(Readable.from(jsonOf(room)), res).then(() => res, () => res.destroy())
    }
  })
}

/** @param {Response} res @param {unknown} text */
function sendHtml (res, text) {
  return res.type('html').send(String(text))
}

/** @param {Room} room @param {number} id of a seat */
function seatDialog (room, id) {
  const checks = historyOf(room, id)
  const { seats, lessons } = instructorView(room)
  return seatDialogHtml(/** @type {typeof seats[0]} */ (seats.find((one) => one.id === id)), checks, lessons)
}

/** @param {ReturnType<typeof importFile>} imported @returns {string} sentences */
function importedText ({ name, added, known, refused }) {
  return [
    `${plural(added, 'new check')} of ${name}, ${known} known before.`,
    ...refused.length > 0 ? [`${plural(refused.length, 'check')} refused: ${refused[0]}`] : []
  ].join(' ')
}

/** @param {RoomServer} server @returns {RequestHandler} */
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
