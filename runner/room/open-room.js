import fs from 'node:fs/promises'
import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { boundedServer, createShare, listen } from '../http/index.js'
import { findLessons } from '../lesson/index.js'
import { openRedis } from '../queue/index.js'
import { cleanLine } from '../report/index.js'
import { takeTurnAtOnce } from '../system/index.js'
import { usualSeats } from './context.js'
import { readKey } from './key.js'
import { readLessons } from './read-lessons.js'
import { createRoom } from './room.js'
import { createRoomApp } from './server/app.js'
import { createLive } from './server/live.js'
import { createJoinThrottle } from './server/join-throttle.js'
import { instructorView, projectorView, publicView } from './snapshot.js'
import { openStore } from './store/store.js'
import { readTalk } from './talk.js'
import { waysIn } from './ways-in.js'
import { workerSecret } from './worker-secret.js'

/**
 * @import { LessonEntry } from '../lesson/index.js'
 * @import { DoorLimits } from './door.js'
 * @import { Room } from './room.js'
 * @import { Store } from './store/store.js'
 *
 * @typedef {object} OpenRoom
 * @property {string} code that admits learners
 * @property {string[]} learners their addresses, those that others reach first; each ends in the code
 * @property {string} instructor the instructor's own link: its secret is in the fragment, which no server sees
 * @property {Room['work']} work for a worker in this process
 * @property {string} workerSecret
 * @property {() => Promise<void>} close
 */

/** Boards are many, and must follow within a moment; the others have more to read. */
const boardPauseMs = 100
const viewPauseMs = 250
/** No event tells of silence, ends and remaining minutes. */
const usualTickMs = 10_000
const backUpMs = 10 * 60_000
const guesses = { waitMs: 1000, most: 50 }
/** A class of 500 can join within four minutes. */
const usualDoor = { most: 60, perSecond: 2, perAddress: 40 }

/**
 * Opens a room, or reopens the one in `dir` with its code, its secret and all it had.
 *
 * @param {object} given
 * @param {NodeJS.ProcessEnv} given.env
 * @param {string} given.dir
 * @param {string} [given.host]
 * @param {number} [given.port] default: where the room was before, else the system's choice
 * @param {AbortSignal} [given.signal] ends the start; after that, `close` does
 * @param {(file: string) => Promise<Store>} [given.open]
 * @param {{ waitMs: number, most: number }} [given.limits] of wrong codes
 * @param {() => number} [given.now] ms since 1970: the room's clock
 * @param {boolean} [given.isSimulated] its learners are invented
 * @param {boolean} [given.hasNewSecret] the instructor's earlier link no longer works
 * @param {number} [given.mostSeats]
 * @param {ReturnType<typeof boundsFor>} [given.most] connections and streams
 * @param {DoorLimits} [given.doorLimits]
 * @param {string} [given.publicOrigin] under which others reach the room: `https://room.example`
 * @param {{ cert: Buffer, key: Buffer }} [given.tls] PEM; default: plain HTTP
 * @param {string} [given.redisUrl] through which workers elsewhere get their jobs
 * @param {number} [given.tickMs]
 * @returns {Promise<OpenRoom>}
 * @throws {WorkshopError} the port is taken, the room is open already, its package is missing, its folder can't be
 *   used, or it would mix people and invented learners
 */
export async function openRoom ({
  env, dir, host = '127.0.0.1', port: wanted, signal, open = openStore, limits = guesses,
  now = Date.now, isSimulated = false, hasNewSecret = false, mostSeats = usualSeats, doorLimits = usualDoor,
  most = boundsFor(mostSeats), publicOrigin, tls,
  redisUrl, tickMs = usualTickMs
}) {
  const file = path.join(await madeFolder(dir), 'room.sqlite')
  const turn = await takeTurnAtOnce(`room\0${file}`, signal)
  if (turn === null) {
    throw new WorkshopError(`The room in ${dir} is open already: stop it there, or name another folder with --dir.`)
  }
  const isProxied = publicOrigin !== undefined && tls === undefined
  /** @type {(() => unknown)[]} the last one first */
  const ends = [turn.release]
  const close = async () => { for (const end of ends.splice(0).reverse()) await end() }
  try {
    const tell = createTeller()
    const store = await open(file)
    ends.push(store.close)
    refuseMixed(store, { isSimulated, dir })
    const entries = await findLessons({ env })
    const lessons = await readLessons(entries)
    const talkOf = (/** @type {string} */ id, /** @type {string} */ reason) =>
      readTalk(/** @type {LessonEntry} */ (entries.find((entry) => entry.id === id)), reason)
    const onChange = () => { for (const one of Object.values(live)) one.invalidate() }
    const secretOfWorkers = workerSecret(path.dirname(file))
    const tellOfRedis = ({ message = '' }) => tell({ stack: `Redis: ${message}`, message })
    const redis = redisUrl === undefined
      ? null
      : await openRedis({ url: redisUrl, secret: secretOfWorkers, onFault: tellOfRedis })
    if (redis !== null) ends.push(redis.close)
    const room = createRoom({
      store,
      announce: redis?.announce,
      lessons,
      now,
      isSimulated,
      mostSeats,
      doorLimits: isSimulated ? null : isProxied ? { ...doorLimits, perAddress: Infinity } : doorLimits,
      onChange
    })
    const share = createShare(isProxied ? freely(most.streams) : most.streams)
    const live = {
      public: createLive(() => publicView(room.state()), { pauseMs: boardPauseMs, share, onFault: tell }),
      projector: createLive(() => projectorView(room.state()), { pauseMs: viewPauseMs, share, onFault: tell }),
      // The instructor must always get in.
      instructor: createLive(() => instructorView(room.state()), {
        pauseMs: viewPauseMs, share: createShare({ most: 100, perAddress: 100 }), onFault: tell
      })
    }
    const ticks = setInterval(() => {
      onChange()
      try { room.work.reconcile() } catch (error) { tell(error) }
    }, tickMs).unref()
    const backUps = setInterval(() => {
      try { store.backUp() } catch (error) { tell(error) }
    }, backUpMs).unref()
    const server = boundedServer(isProxied ? freely(most.connections) : most.connections, tls)
    const port = await listen(server, wanted ?? room.state().settings.port, host).catch((error) => {
      const known = wanted === undefined ? room.state().settings.port : 0
      throw known === 0 || error.cause?.code !== 'EADDRINUSE'
        ? error
        : new WorkshopError(`Port ${known}, at which learners reach this room, is taken: ` +
          'stop what has it, or name another one with --port.', { cause: error })
    })
    room.notePort(port)
    room.work.reconcile()
    if (hasNewSecret) room.changeSecret()
    ends.push(() => {
      const closed = new Promise((resolve) => server.close(resolve))
      clearInterval(ticks)
      clearInterval(backUps)
      for (const one of Object.values(live)) one.close()
      server.closeAllConnections()
      return closed
    })
    const ways = waysIn({ host, port, env, publicOrigin, isEncrypted: tls !== undefined })
    const rejectUnknownCode = createJoinThrottle(limits, room.isFormerCode)
    const learners = () => ways.learners(room.state().settings.code)
    const keyOf = () => readKey(entries)
    server.on('request', createRoomApp({
      room, store, rejectUnknownCode, live, talkOf, readKey: keyOf, learners, workerSecret: secretOfWorkers, now, env
    }, { ...ways.names, token: null }))
    const { code, secret } = room.state().settings
    return {
      code,
      learners: learners(),
      instructor: ways.instructor(secret),
      work: room.work,
      workerSecret: secretOfWorkers,
      close
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** What a room of that size needs, with some to spare. @param {number} seats */
function boundsFor (seats) {
  return {
    connections: { most: 3 * seats + 200, perAddress: 64 },
    streams: { most: 2 * seats + 100, perAddress: 8 }
  }
}

/** Behind a proxy, all requests come from one address. @param {{ most: number, perAddress: number }} limits */
function freely ({ most }) {
  return { most, perAddress: most }
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

/** @param {Store} store @param {{ isSimulated: boolean, dir: string }} given */
function refuseMixed (store, { isSimulated, dir }) {
  const settings = store.readSettings()
  if (settings === null || (settings.isSimulated ?? false) === isSimulated) return
  throw new WorkshopError(isSimulated
    ? `The room in ${dir} is one of people: invented learners need a separate folder.`
    : `The room in ${dir} was filled with invented learners: people need another one, which --dir names.`)
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
