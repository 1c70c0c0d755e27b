import { randomInt } from 'node:crypto'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { WorkshopError } from '../shared/errors.js'
import { createRandom, readSeed } from '../shared/random.js'
import { isInWorkshop } from '../shared/workshop.js'
import { spawnHelper, startGuard, startUpstream } from './helper.js'
import { coreSpeed, cpuLimit, paceOf, sizeFor } from './machine.js'
import { mostPatience, secondPatience, settleLate } from './patience.js'
import { folderToRun, makeRunFolder, openSubmission } from './run-folder.js'
import { startServer } from './start-server.js'
import { markerOf, signalOurs } from './signals.js'

/**
 * One run of the workshop: all that it starts and writes, and the only place that ends it.
 *
 * @import { Random } from '../shared/random.js'
 * @import { Guard, StartHelper } from './helper.js'
 * @import { Entry } from './proc.js'
 * @import { ServerFolder } from './run-folder.js'
 * @import { Launch, Role, Server, ServerOptions, Started } from './start-server.js'
 * @import { UpstreamOf } from './upstream.js'
 *
 * @typedef {Awaited<ReturnType<typeof openSession>>} Session
 *
 * @typedef {Pick<ServerOptions, 'nodeArgs' | 'env' | 'inspect' | 'through' | 'called' | 'readyTimeoutMs' | 'onSpawn' |
 *   'stdio' | 'port'> & { files?: RunData['files'], dataDir?: string, isSwift?: boolean }} StartOptions files: further
 *   ones in its DATA_DIR; dataDir: that of a server that has been stopped, instead of a fresh one; isSwift: what it
 *   talks to takes no more time than it has to
 *
 * @typedef {object} SessionOptions
 * @property {string} seed
 * @property {boolean} [inspect] start servers with V8's inspector
 * @property {number} [patience] how many times the usual time servers may take to start and to answer: default as many
 *   times as this machine is slower
 * @property {Launch} [launch] starts servers in a sandbox
 * @property {AbortSignal} [signal]
 */

/**
 * A lesson's part in a run of its servers. Its `data` has to survive a structured clone: it also goes to the load
 * generator.
 *
 * @typedef {object} RunData
 * @property {Record<string, string | Uint8Array>} files files for DATA_DIR, by name
 * @property {any} [data] what the contract and the streams know about the files
 *
 * @typedef {object} DataGiven
 * @property {Random} random
 * @property {number} speed of a core, 1 or less: work that is done `speed` times costs here what it cost where the
 *   targets were set
 *
 * @typedef {object} Runnable
 * @property {string} root the workshop, or a lesson pack
 * @property {string} dir the folder with lesson.js, which helpers import
 * @property {string} slowDir the folder with the slow server
 * @property {{ data?: (given: DataGiven) => RunData | Promise<RunData>, upstream?: UpstreamOf }} lesson
 */

/**
 * Opens a session for as long as `use` takes. Whatever happens, everything that was started is stopped, and everything
 * temporary removed, before this returns or throws.
 *
 * @template T
 * @param {Runnable} entry
 * @param {SessionOptions} options
 * @param {(session: Session) => Promise<T>} use
 * @returns {Promise<T>}
 * @throws {WorkshopError} the temporary folder cannot be written
 */
export async function withSession (entry, options, use) {
  const session = await openSession(entry, options)
  try {
    return await use(session)
  } finally {
    await session.close()
  }
}

/**
 * One of a lesson's servers, started with this lesson's data for as long as `use` takes.
 *
 * @template T
 * @param {{ entry: Runnable, dir: string, folder?: ServerFolder, seed: string, start?: StartOptions, signal:
 *   AbortSignal }} options dir: the folder with server.js; folder: instead, one that is ready to be run
 * @param {(given: { server: Server, session: Session }) => Promise<T>} use
 * @returns {Promise<T>}
 * @throws {WorkshopError} the server does not start
 */
export function withOneServer ({ entry, dir, folder, seed, start, signal }, use) {
  return withSession(entry, { seed, signal }, async (session) => {
    const { server, failure } = await session.start('yours', folder ?? session.openSubmission(dir), start)
    if (failure !== null) throw new WorkshopError(`The server didn’t start: ${failure}`)
    return use({ server, session })
  })
}

/** @param {Runnable} entry @param {SessionOptions} options */
async function openSession ({ lesson, root, dir, slowDir }, { seed: given, signal, ...options }) {
  // SIGUSR1 would open our inspector to every program on this machine.
  process.on('SIGUSR1', ignore)
  const folder = await makeRunFolder(options.launch?.disks).catch((error) => {
    process.off('SIGUSR1', ignore)
    throw error
  })
  /** @type {Guard | undefined} */
  let guard
  /** @type {ReturnType<typeof createServers> | undefined} */
  let servers
  /** @type {ReturnType<typeof createHelpers> | undefined} */
  let helpers
  /** Stops everything and removes everything; never rejects. */
  const close = async () => {
    await servers?.stopAll()
    await helpers?.closeAll()
    await folder.remove()
    // Last: until then it is the one that cleans up if we are killed.
    await guard?.close()
    process.off('SIGUSR1', ignore)
  }
  try {
    guard = startGuard(folder)
    helpers = createHelpers(guard, signal)
    const size = sizeRun(given)
    const { seed, workScale } = size
    const random = createRandom(`${seed}/data`)
    const { files = {}, data = {} } = await lesson.data?.({ random, speed: workScale }) ?? {}
    const module = pathToFileURL(path.join(dir, 'lesson.js')).href
    const openUpstream = lesson.upstream ? startUpstream(helpers.start, { module, data, seed }) : null
    /** @param {Role} role @param {RunData['files']} [more] */
    const newDataDir = (role, more) => folder.newDataDir(role, { ...files, ...more })
    // Packages that a pack's servers import aren't found from where they lie.
    const slow = isInWorkshop(root) ? slowDir : folderToRun(slowDir, { root, scratch: folder.scratch })
    const baseline = { dir: slow, shownDir: path.relative(root, slowDir) }
    const own = { patience: Math.min(size.pace, mostPatience), ...options, baseline }
    servers = createServers({ ...own, guard, newDataDir, openUpstream, signal })
    return {
      ...servers,
      ...size,
      /** Facts about the files, for contract and streams. */
      data,
      /** URL of the lesson, for helpers. */
      module,
      scratch: folder.scratch,
      /** Where the slow server lies. */
      baseline,
      /** Makes a folder ready to be run. @param {string} given @param {string} [file] */
      openSubmission: (given, file) => openSubmission(given, { root, scratch: folder.scratch, file }),
      startHelper: helpers.start,
      guard,
      signal,
      close
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** How much this machine can do. @param {string} given a seed, which may say it itself */
function sizeRun (given) {
  const { seed, speed: known } = readSeed(given)
  const [core, limit] = [coreSpeed(), cpuLimit()]
  return {
    seed,
    /** The share of its work that the data was sized to. */
    workScale: known ?? sizeFor(core),
    /** How many times as long this machine needs for what is not sized, 1 or more. */
    pace: paceOf(core, limit),
    /** CPUs that the system lets us use, where that is fewer than there are cores. */
    limit
  }
}

function ignore () {}

/** @param {Guard} guard @param {AbortSignal} [signal] */
function createHelpers (guard, signal) {
  /** @type {Set<ReturnType<typeof spawnHelper>>} */
  const all = new Set()
  return {
    /** @type {StartHelper} */
    start: async (options, type, order) => {
      const helper = spawnHelper({ ...options, guard, signal })
      all.add(helper)
      await helper.ask(type, order)
      return helper
    },
    closeAll: () => Promise.all([...all].map((helper) => helper.close()))
  }
}

const noRoom = 'there is no room left for its DATA_DIR: what it has written fills the disk.'
/** A server that has written more than this is told so, bytes. */
const flood = 5_000_000

/**
 * The servers of one run.
 *
 * @param {Omit<SessionOptions, 'seed'> & { patience: number, baseline: ServerFolder, guard: Guard, newDataDir: (role:
 *   Role, files?: RunData['files']) => string | null, openUpstream: ReturnType<typeof startUpstream> | null }} options
 */
function createServers ({ baseline, guard, newDataDir, openUpstream, signal, ...usual }) {
  /** @type {Set<Server>} */
  const running = new Set()
  /** @type {Set<Promise<Started>>} */
  const pending = new Set()
  const odd = /** @type {Odd} */ ({ forced: null, orphans: 0, flood: 0 })
  const notes = notesOf(guard)
  // A server that's still being started when all are stopped isn't started any more.
  const over = new AbortController()
  const untilOver = signal ? AbortSignal.any([signal, over.signal]) : over.signal

  /** @type {StartOne} */
  const startOne = async (role, folder, { files, dataDir: given, factor = 1, isSwift, ...more } = {}) => {
    const dataDir = given ?? newDataDir(role, files)
    if (dataDir === null) return { server: null, failure: noRoom, output: '' }
    const started = await startServer({
      ...folder,
      ...usual,
      ...more,
      patience: factor * usual.patience,
      role,
      upstream: await openUpstream?.({ isSwift }) ?? null,
      dataDir,
      runMarker: guard.runMarker,
      // Each server has its own marker, so that stopping one doesn't stop the other.
      ownMarker: `${guard.runMarker}/${randomInt(1, 1e9)}`,
      signal: untilOver,
      onNote: notes.note
    })
    if (started.server) running.add(started.server)
    return started
  }
  /** @param {Server} server */
  const stop = async (server) => {
    const { forced, orphans } = await server.stop()
    running.delete(server)
    notes.forget(server.pid)
    if (server.role !== 'yours') return
    odd.forced = forced && odd.forced !== false
    odd.orphans = Math.max(odd.orphans, orphans)
    odd.flood = Math.max(odd.flood, server.outputBytes())
  }
  return {
    start: (/** @type {Parameters<StartOne>} */ ...given) => {
      const starting = startInTime(given, { startOne, stop, baseline })
      pending.add(starting)
      return starting.finally(() => pending.delete(starting))
    },
    stop,
    stopAll: async () => {
      over.abort()
      await Promise.all([...running].map(stop))
      // Starts that are under way see at once that it's over, and end what they have started.
      await Promise.allSettled(pending)
      notes.close()
    },
    /** Oddities of the submission's end, as sentences. */
    warnings: () => warningsOf(odd)
  }
}

/**
 * @typedef {(role: Role, folder: ServerFolder, options?: StartOptions & { factor?: number }) => Promise<Started>}
 *   StartOne factor: so many times as patient as usual
 */

/**
 * One that doesn't listen in time is started once more.
 *
 * @param {Parameters<StartOne>} given
 * @param {{ startOne: StartOne, stop: (server: Server) => Promise<void>, baseline: ServerFolder }} on
 * @returns {Promise<Started>}
 */
async function startInTime ([role, folder, options], { startOne, stop, baseline }) {
  const first = await startOne(role, folder, options)
  if (!first.isLate || options?.readyTimeoutMs !== undefined) return first
  const seen = (/** @type {Started} */ started) =>
    ({ isLate: started.isLate ?? false, message: started.failure ?? '', started })
  const startSlow = async () => {
    const slow = await startOne('baseline', baseline)
    if (slow.server) await stop(slow.server)
    return { ...seen(slow), ...slow.server && { tookMs: slow.tookMs } }
  }
  const { started, message } = await settleLate({
    again: async () => seen(await startOne(role, folder, { ...options, factor: secondPatience })),
    slow: role === 'baseline' ? null : startSlow
  })
  return started.failure === null ? started : { ...started, failure: message }
}

/**
 * Notes of all that was spawned, for the guard and for us: should we end without warning, nothing may stay behind.
 *
 * @param {Guard} guard
 */
function notesOf (guard) {
  /** By pid. @type {Map<number, Entry>} */
  const spawned = new Map()
  const lastResort = () => {
    signalOurs({ noted: [...spawned.values()], markers: [markerOf('run', guard.runMarker)] }, 'SIGKILL')
  }
  process.once('exit', lastResort)
  return {
    /** @param {Entry} one */
    note: (one) => {
      spawned.set(one.pid, one)
      guard.note(one)
    },
    /** @param {number} pid */
    forget: (pid) => {
      spawned.delete(pid)
      guard.forget(pid)
    },
    close: () => {
      lastResort()
      spawned.clear()
      process.off('exit', lastResort)
    }
  }
}

/**
 * @typedef {{ forced: boolean | null, orphans: number, flood: number }} Odd forced: at every stop so far, since on a
 *   busy machine a server that ends at once may be late now and then
 *
 * @param {Odd} odd @returns {string[]}
 */
function warningsOf ({ forced, orphans, flood: written }) {
  const warnings = []
  if (forced) {
    warnings.push('Your server ignored the request to stop (SIGTERM) and had to be killed. ' +
      'In production, close the server when SIGTERM arrives.')
  }
  if (orphans > 0) {
    const [what, them] = orphans === 1 ? ['a process', 'it'] : [`${orphans} processes`, 'them']
    warnings.push(`Your server left ${what} behind when it was stopped; the check stopped ${them}. End what you start.`)
  }
  if (written > flood) {
    warnings.push(`Your server wrote ${Math.round(written / 1e6)} MB to its output. ` +
      'Writing it costs time: what are these lines for?')
  }
  return warnings
}
