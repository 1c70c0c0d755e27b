import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import express from 'express'
import { cleanLine } from '../../runner/shared/text.js'
import { WorkshopError } from '../../runner/shared/errors.js'
import {
  answerRest, assetRoutes, boundedServer, createPartStream, createShare, guard, listen, jsonBody
} from '../../runner/http/index.js'
import { findLessons } from '../../runner/lesson/index.js'
import { openRedis } from '../queue/index.js'
import { classParts } from './class-page.js'
import { createJoinThrottle, readCode, waysIn } from './entrance.js'
import { createInbox } from './inbox.js'
import { projectorParts, publicParts } from './public-pages.js'
import { readLessons } from './read-lessons.js'
import { createRoom, usualSeats } from './room-state.js'
import {
  instructorRoutes, learnerRoutes, limitSubmissions, onlyInstructor, pageRoutes, publicRoutes
} from './room-routes.js'
import { changeSecret, notePort } from './settings.js'
import { instructorView, projectorView, publicView } from './room-views.js'
import { openStore } from './store.js'
import { expire, workIn } from './submissions.js'

/**
 * @import { Allowed } from '../../runner/http/index.js'
 * @import { Engine, Work } from '../queue/index.js'
 * @import { AdmissionLimits } from './entrance.js'
 * @import { Room } from './room-state.js'
 * @import { RoomServer } from './room-routes.js'
 * @import { Store } from './store.js'
 *
 * @typedef {object} OpenRoom
 * @property {string} code that admits learners
 * @property {string[]} learners their addresses, those that others reach first; each ends in the code
 * @property {string} instructor the instructor's own link: its secret is in the fragment, which no server sees
 * @property {Work} work for a worker in this process
 * @property {() => Promise<void>} close
 *
 * @typedef {object} OpenOptions
 * @property {NodeJS.ProcessEnv} env
 * @property {string} dir
 * @property {string} [host]
 * @property {number} [port] default: where the room was before, else the system's choice
 * @property {(file: string) => Promise<Store>} [open]
 * @property {typeof readLessons} [read]
 * @property {{ waitMs: number, most: number }} [guesses] wrong codes
 * @property {() => number} [now] ms since 1970: the room's clock
 * @property {boolean} [hasNewSecret] the instructor's earlier link no longer works
 * @property {number} [mostSeats]
 * @property {Record<'connections' | 'streams', Parameters<typeof createShare>[0]>} [most]
 * @property {AdmissionLimits | null} [admissionLimits] null: none
 * @property {string} [publicOrigin] under which others reach the room: `https://room.example`
 * @property {{ cert: Buffer, key: Buffer }} [tls] PEM; default: plain HTTP
 * @property {string} [redisUrl] through which workers on other machines get their jobs
 * @property {Parameters<typeof openRedis>[0]['times']} [redisTimes]
 * @property {(sentence: string) => void} [say] what the instructor should know
 * @property {number} [tickMs]
 */

/** Boards are many, and must follow within a moment; the others have more to read. */
const boardPauseMs = 100
const viewPauseMs = 250
/** No event tells of silence, ends and remaining minutes. */
const usualTickMs = 10_000
const backUpMs = 10 * 60_000
const usualGuesses = { waitMs: 1000, most: 50 }
/** A class of 500 can join within four minutes. */
const usualAdmission = { most: 60, perSecond: 2, perAddress: 40 }

/**
 * Opens a room, or reopens the one in `dir` with its code, its secret and all it had.
 *
 * @param {OpenOptions} options
 * @returns {Promise<OpenRoom>}
 * @throws {WorkshopError} the port is taken, the room is open already, its package is missing, or its folder
 *   can't be used
 */
export async function openRoom (options) {
  /** @type {(() => unknown)[]} */
  const ends = []
  const close = async () => { for (const end of ends.splice(0).reverse()) await end() }
  try {
    return { ...await openFile(path.join(await madeFolder(options.dir), 'room.sqlite'), options, ends), close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * @param {string} file
 * @param {OpenOptions} options
 * @param {(() => unknown)[]} ends get those of all that is opened, the last one first to end
 * @returns {Promise<Omit<OpenRoom, 'close'>>}
 */
async function openFile (file, options, ends) {
  const {
    env, host = '127.0.0.1', port: wanted, open = openStore, read = readLessons, guesses = usualGuesses,
    now = Date.now, hasNewSecret = false, mostSeats = usualSeats, publicOrigin, tls, redisUrl, redisTimes,
    say = () => {}, tickMs = usualTickMs
  } = options
  const { admissionLimits, connections, streams } = boundsOf({ ...options, mostSeats })
  const tell = createTeller()
  const store = await open(file)
  ends.push(store.close)
  const entries = await findLessons({ env })
  const lessons = await read(entries)
  /** @type {Engine | null} */
  let engine = null
  const onWaiting = () => engine?.feed()
  // While the room was closed, no worker could say that it was still there.
  store.submissions.grace({ now: now() })
  const onChange = () => { for (const one of Object.values(live)) one.invalidate() }
  const room = createRoom({ store, onWaiting, lessons, now, mostSeats, admissionLimits, onChange })
  engine = await engineAt(redisUrl, { room, tell: say, times: redisTimes })
  if (engine !== null) ends.push(engine.close)
  const learners = () => ways.learners(room.settings().code)
  const live = liveParts(room, { learners, streams, onFault: tell })
  const timers = startTimers({ room, tell, tickMs })
  const server = boundedServer(connections, tls)
  const port = await listenAgain(server, { wanted, known: room.settings().port, host })
  notePort(room, port)
  if (hasNewSecret) changeSecret(room)
  ends.push(() => {
    timers.forEach(clearInterval)
    const closed = new Promise((resolve) => server.close(resolve))
    for (const one of Object.values(live)) one.close()
    server.closeAllConnections()
    return closed
  })
  const ways = waysIn({ host, port, env, publicOrigin, isEncrypted: tls !== undefined })
  const rejectUnknownCode = createJoinThrottle(guesses, (code) =>
    (room.settings().formerCodes ?? []).includes(readCode(code)))
  const shared = { room, put: createInbox(room), rejectUnknownCode, live, entries, learners, env }
  server.on('request', createRoomApp(shared, { ...ways.names, token: null }))
  const { code, secret } = room.settings()
  return { code, learners: learners(), instructor: ways.instructor(secret), work: workIn(room) }
}

/**
 * @param {string | undefined} url of Redis
 * @param {{ room: Room } & Pick<Parameters<typeof openRedis>[0], 'tell' | 'times'>} given
 * @returns {Promise<Engine | null>}
 */
async function engineAt (url, { room, tell, times }) {
  if (url === undefined) return null
  const name = createHash('sha256').update(room.settings().createdAt).digest('hex').slice(0, 12)
  const noteCut = (/** @type {boolean} */ isCut) => {
    room.isCut = isCut
    room.onChange()
  }
  return openRedis({ url, room: name, work: workIn(room), noteCut, tell, times })
}

/**
 * The pages' parts, as streams.
 *
 * @param {Room} room
 * @param {{ learners: () => string[], streams: Parameters<typeof createShare>[0] } &
 *   Pick<Parameters<typeof createPartStream>[1], 'onFault'>} given
 */
function liveParts (room, { learners, streams, onFault }) {
  const share = createShare(streams)
  // The instructor must always get in.
  const own = createShare({ most: 100, perAddress: 100 })
  return {
    public: createPartStream(() => publicParts(publicView(room)), { pauseMs: boardPauseMs, share, onFault }),
    projector: createPartStream(() => projectorParts(projectorView(room)), { pauseMs: viewPauseMs, share, onFault }),
    instructor: createPartStream(() => classParts({ ...instructorView(room), learners: learners() }),
      { pauseMs: viewPauseMs, share: own, onFault })
  }
}

/** @param {{ room: Room, tell: (error: any) => void, tickMs: number }} given @returns {NodeJS.Timeout[]} */
function startTimers ({ room, tell, tickMs }) {
  const every = (/** @type {number} */ ms, /** @type {() => void} */ act) => setInterval(() => {
    try { act() } catch (error) { tell(error) }
  }, ms).unref()
  const tick = () => {
    room.onChange()
    expire(room)
  }
  return [every(tickMs, tick), every(backUpMs, room.store.backUp)]
}

/**
 * @param {ReturnType<typeof boundedServer>} server
 * @param {{ wanted: number | undefined, known: number, host: string }} where known: the port of last time, or 0
 */
function listenAgain (server, { wanted, known, host }) {
  return listen(server, wanted ?? known, host).catch((error) => {
    if (wanted !== undefined || known === 0 || error.cause?.code !== 'EADDRINUSE') throw error
    throw new WorkshopError(`Port ${known}, at which learners reach this room, is taken: ` +
      'stop what has it, or name another one with --port.', { cause: error })
  })
}

/** A room of that size needs so many, with some to spare. @param {OpenOptions & { mostSeats: number }} options */
function boundsOf ({ mostSeats, most, admissionLimits = usualAdmission, publicOrigin, tls }) {
  const { connections, streams } = most ?? {
    connections: { most: 3 * mostSeats + 200, perAddress: 64 }, streams: { most: 2 * mostSeats + 100, perAddress: 8 }
  }
  if (publicOrigin === undefined || tls !== undefined) return { connections, streams, admissionLimits }
  // Behind a proxy, all requests come from one address.
  return {
    connections: { most: connections.most, perAddress: connections.most },
    streams: { most: streams.most, perAddress: streams.most },
    admissionLimits: admissionLimits && { ...admissionLimits, perAddress: Infinity }
  }
}

/** Faults that the room survives, each logged once. */
function createTeller () {
  const told = new Set()
  return (/** @type {any} */ error) => {
    if (told.has(error.message)) return
    told.add(error.message)
    process.stderr.write(`A fault in the room, which carries on: ${cleanLine(error.stack)}\n`)
  }
}

/** @param {string} dir @returns {Promise<string>} its real path */
async function madeFolder (dir) {
  try {
    await fs.mkdir(path.dirname(dir), { recursive: true })
    await fs.mkdir(dir, { recursive: true, mode: 0o700 })
    return await fs.realpath(dir)
  } catch (error) {
    throw new WorkshopError(`The folder ${dir} can’t be used (${error.code}): name another one with --dir.`,
      { cause: error })
  }
}

const mostBody = '64kb'
/** A hundred or so records of a learner who was offline all day. */
const mostImport = '8mb'
/** 256 kB of text, much of it escaped. */
const mostSubmission = '512kb'
const missing = 'There’s nothing at this address.'

/**
 * @param {RoomServer} server
 * @param {Allowed} allowed which requests are accepted
 * @returns {import('node:http').RequestListener}
 */
function createRoomApp (server, allowed) {
  const app = express()
  app.disable('x-powered-by')
  // What browsers may keep has a tag already.
  app.disable('etag')
  app.use(guard(allowed))
  app.use('/api/class', onlyInstructor(server))
  app.use('/api/class/import', jsonBody(mostImport))
  app.use('/api/seat/submissions', limitSubmissions(server), jsonBody(mostSubmission))
  app.use(jsonBody(mostBody))
  app.use('/api/class', instructorRoutes(server))
  app.use('/api/rooms', publicRoutes(server))
  app.use('/api', learnerRoutes(server))
  app.use(assetRoutes('classroom/room'))
  app.use(pageRoutes(server, allowed.origins))
  app.use(...answerRest(server.env, { missing, home: null }))
  return app
}
