import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { WorkshopError } from '../errors.js'
import { createRandom, readSeed } from '../random.js'
import { isInWorkshop } from '../workshop.js'
import { startGuard } from './guard.js'
import { spawnHelper, startUpstream } from './helper.js'
import { coreSpeed, cpuLimit, paceOf, sizeFor } from './machine.js'
import { createServers, folderToRun, makeRunFolder, openSubmission } from './servers.js'

/**
 * One run of the workshop: all that it starts and writes, and the only place that ends it.
 *
 * @import { Random } from '../random.js'
 * @import { UpstreamOf } from './faults.js'
 * @import { Guard } from './guard.js'
 * @import { StartHelper } from './helper.js'
 * @import { Server } from './server-handle.js'
 * @import { ServerFolder, Servers, StartOptions } from './servers.js'
 * @import { Launch } from './start-server.js'
 *
 * @typedef {object} SessionOnly
 * @property {string} seed
 * @property {number} workScale the share of its work that the data was sized to
 * @property {number} pace how many times as long this machine needs for what is not sized, 1 or more
 * @property {number | null} limit CPUs that the system lets us use, where that is fewer than there are cores
 * @property {any} data what contract and streams know about the files
 * @property {string} module URL of the lesson, for helpers
 * @property {string} scratch an empty folder
 * @property {ServerFolder} baseline where the slow server lies
 * @property {(dir: string, file?: string) => ServerFolder} openSubmission makes a folder ready to be run
 * @property {StartHelper} startHelper
 * @property {Guard} guard
 * @property {AbortSignal} [signal]
 * @property {() => Promise<void>} close stops everything and removes everything; never rejects
 *
 * @typedef {SessionOnly & Servers} Session
 *
 * @typedef {object} SessionOptions
 * @property {string} seed
 * @property {boolean} [inspect] start servers with V8's inspector
 * @property {number} [patience] how many times the usual time servers may take to start and to answer: default 1
 * @property {Launch} [launch] starts servers in a sandbox
 * @property {AbortSignal} [signal]
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
 * @param {Runnable} entry
 * @param {SessionOptions} options
 * @returns {Promise<Session>}
 */
async function openSession ({ lesson, root, dir, slowDir }, { inspect = false, signal, ...options }) {
  // It would open our inspector to every program on this machine.
  process.on('SIGUSR1', ignore)
  const folder = await makeRunFolder().catch((error) => {
    process.off('SIGUSR1', ignore)
    throw error
  })
  /** @type {Guard | undefined} */
  let guard
  /** @type {Servers | undefined} */
  let servers
  /** @type {Set<{ close: () => Promise<void> }>} */
  const helpers = new Set()
  const close = async () => {
    await servers?.stopAll()
    await Promise.all([...helpers].map((helper) => helper.close()))
    await folder.remove()
    // Last: until then it is the one that cleans up if we are killed.
    await guard?.close()
    process.off('SIGUSR1', ignore)
  }
  try {
    const started = guard = startGuard(folder)
    const size = sizeRun(options.seed)
    const { seed, workScale } = size
    const random = createRandom(`${seed}/data`)
    const { files = {}, data = {} } = await lesson.data?.({ random, speed: workScale }) ?? {}
    const module = pathToFileURL(path.join(dir, 'lesson.js')).href
    /** @type {StartHelper} */
    const startHelper = async (options, type, order) => {
      const helper = spawnHelper({ ...options, guard: started, signal })
      helpers.add(helper)
      await helper.ask(type, order)
      return helper
    }
    const upstream = lesson.upstream ? await startUpstream(startHelper, { module, data, seed }) : null
    const newDataDir = folder.dataDirsOf(files)
    servers = createServers({ ...options, guard, newDataDir, upstream, inspect, signal })
    return {
      ...servers,
      ...size,
      data,
      module,
      scratch: folder.scratch,
      baseline: {
        // What a pack's servers import is not found from where they lie.
        dir: isInWorkshop(root) ? slowDir : folderToRun(slowDir, { root, scratch: folder.scratch }),
        shownDir: path.relative(root, slowDir)
      },
      openSubmission: (given, file) => openSubmission(given, { root, scratch: folder.scratch, file }),
      startHelper,
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
  return { seed, workScale: known ?? sizeFor(core), pace: paceOf(core, limit), limit }
}

function ignore () {}

/**
 * What a lesson says about a run of its servers. Types only.
 *
 * What a lesson's `data` makes. Its own `data` has to survive a structured clone: it also goes to the load generator.
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
 * One of a lesson's servers, started with this lesson's data for as long as `use` takes.
 *
 * @template T
 * @param {object} options
 * @param {Runnable} options.entry
 * @param {string} options.dir the folder with server.js
 * @param {ServerFolder} [options.folder] instead: one that is ready to be run
 * @param {string} options.seed
 * @param {StartOptions} [options.start]
 * @param {AbortSignal} options.signal
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
