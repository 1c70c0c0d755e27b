import { randomInt } from 'node:crypto'
import { markerOf, signalOurs } from '../system/index.js'
import { startServer } from './server/start.js'

/**
 * The servers of one run.
 *
 * @import { Identity } from '../system/index.js'
 * @import { Guard } from './guard/guard.js'
 * @import { NewDataDir } from './run-folder.js'
 * @import { Role, Server } from './server/handle.js'
 * @import { Launch, ServerOptions, Started } from './server/start.js'
 * @import { UpstreamProcess } from './upstream/upstream.js'
 *
 * @typedef {object} Servers
 * @property {(role: Role, folder: ServerFolder, more?: StartOptions) => Promise<Started>} start
 * @property {(server: Server) => Promise<void>} stop
 * @property {() => Promise<void>} stopAll
 * @property {() => string[]} warnings what was odd about the submission's end, as sentences
 *
 * @typedef {{ dir: string, shownDir: string }} ServerFolder shownDir: what a learner calls that folder
 *
 * @typedef {Pick<ServerOptions, 'nodeArgs' | 'env' | 'inspect' | 'through' | 'called' | 'readyTimeoutMs' | 'onSpawn' |
 *   'stdio' | 'port'> & { files?: Record<string, string>, dataDir?: string }} StartOptions files: further ones in its
 *   DATA_DIR; dataDir: that of a server that has been stopped, instead of a fresh one
 */

/** A server that has written more than this is told so, bytes. */
const flood = 5_000_000

/**
 * @param {object} options
 * @param {Guard} options.guard
 * @param {NewDataDir} options.newDataDir
 * @param {UpstreamProcess | null} options.upstream where the lesson has one
 * @param {number} [options.patience] how many times the usual time they may take to start and to answer
 * @param {boolean} options.inspect start the servers with V8's inspector
 * @param {Launch} [options.launch] starts them in a sandbox
 * @param {AbortSignal} [options.signal]
 * @returns {Servers}
 */
export function createServers ({ guard, newDataDir, upstream, patience, inspect, launch, signal }) {
  /** @type {Set<Server>} */
  const running = new Set()
  /** @type {Set<Promise<Started>>} */
  const pending = new Set()
  const odd = { forced: false, orphans: 0, flood: 0 }
  const notes = notesOf(guard)
  // What is still being started when all are stopped is not started any more.
  const over = new AbortController()
  const untilOver = signal ? AbortSignal.any([signal, over.signal]) : over.signal

  /** @type {Servers['start']} */
  const start = (role, folder, more) => {
    const starting = startOne(role, folder, more)
    pending.add(starting)
    return starting.finally(() => pending.delete(starting))
  }
  /** @type {Servers['start']} */
  const startOne = async (role, folder, { files, dataDir, ...more } = {}) => {
    const started = await startServer({
      ...folder,
      patience,
      inspect,
      launch,
      ...more,
      role,
      upstream: await upstream?.open() ?? null,
      dataDir: dataDir ?? newDataDir(files),
      runMarker: guard.runMarker,
      // Each server has its own marker, so that stopping one doesn't stop the other.
      ownMarker: `${guard.runMarker}/${randomInt(1, 1e9)}`,
      signal: untilOver,
      onNote: notes.note
    })
    if (started.server) running.add(started.server)
    return started
  }
  /** @type {Servers['stop']} */
  const stop = async (server) => {
    const { forced, orphans } = await server.stop()
    running.delete(server)
    notes.forget(server.pid)
    if (server.role !== 'yours') return
    odd.forced ||= forced
    odd.orphans = Math.max(odd.orphans, orphans)
    odd.flood = Math.max(odd.flood, server.outputBytes())
  }
  return {
    start,
    stop,
    stopAll: async () => {
      over.abort()
      await Promise.all([...running].map(stop))
      // They see at once that it is over, and end what they have started.
      await Promise.allSettled(pending)
      notes.close()
    },
    warnings: () => warningsOf(odd)
  }
}

/**
 * What was spawned, for the guard and for ourselves: should we end without warning, nothing may stay behind.
 *
 * @param {Guard} guard
 */
function notesOf (guard) {
  /** By pid. @type {Map<number, Identity>} */
  const spawned = new Map()
  const lastResort = () => {
    signalOurs({ noted: [...spawned.values()], markers: [markerOf('run', guard.runMarker)] }, 'SIGKILL')
  }
  process.once('exit', lastResort)
  return {
    /** @type {Guard['note']} */
    note: (one) => {
      spawned.set(one.pid, one)
      guard.note(one)
    },
    /** @type {Guard['forget']} */
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

/** @param {{ forced: boolean, orphans: number, flood: number }} odd @returns {string[]} */
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
