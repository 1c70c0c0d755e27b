import { randomBytes, randomInt } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { WorkshopError } from '../errors.js'
import { shownPath } from '../shown-path.js'
import { isInWorkshop, workshopRoot } from '../workshop.js'
import { markerOf, signalOurs } from './signals.js'
import { startServer } from './start-server.js'
import { makeTemporary, sweepTemporary } from './temporary.js'

/**
 * The servers of one run.
 *
 * @import { Guard } from './guard.js'
 * @import { UpstreamProcess } from './helper.js'
 * @import { Identity } from './proc.js'
 * @import { Role, Server } from './server-handle.js'
 * @import { Launch, ServerOptions, Started } from './start-server.js'
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

/**
 * The temporary folder of one run.
 *
 * @typedef {object} RunFolder
 * @property {string} dir
 * @property {string} identity proves later that it is this one
 * @property {string} scratch an empty folder in it
 * @property {(files: Record<string, string | Uint8Array>) => NewDataDir} dataDirsOf
 * @property {() => Promise<void>} remove with what is in it; never rejects
 *
 * @typedef {(more?: Record<string, string>) => string} NewDataDir a fresh copy of the data, since each server gets its
 *   own; more: files for this server alone
 */

/**
 * @returns {Promise<RunFolder>}
 * @throws {WorkshopError} the temporary folder cannot be written
 */
export async function makeRunFolder () {
  const { dir, identity, remove } = await makeFolder()
  // What runs that were killed have left goes meanwhile.
  const sweeping = sweepTemporary()
  const scratch = path.join(dir, 'run')
  try {
    fs.mkdirSync(scratch)
  } catch (error) {
    await Promise.all([sweeping, remove()])
    throw error
  }
  return {
    dir,
    identity,
    scratch,
    dataDirsOf: (files) => (more = {}) => {
      // A number would tell a server which of the two it is. In a separate folder, which a sandbox can show it.
      const dataDir = path.join(dir, randomBytes(6).toString('hex'), 'data')
      fs.mkdirSync(dataDir, { recursive: true })
      for (const [name, content] of Object.entries({ ...files, ...more })) {
        fs.writeFileSync(path.join(dataDir, name), content)
      }
      return dataDir
    },
    remove: async () => { await Promise.all([sweeping, remove()]) }
  }
}

async function makeFolder () {
  try {
    return await makeTemporary()
  } catch (error) {
    const advice = 'free some space there, or set TMPDIR to another folder.'
    throw new WorkshopError(`The temporary folder ${os.tmpdir()} cannot be written (${error.code}): ${advice}`, {
      cause: error
    })
  }
}

const mostBytes = 50 * 1024 * 1024

/**
 * Makes a folder ready to be run: where it is, or as a copy.
 *
 * @param {string} dir the folder with server.js, or whatever `file` names
 * @param {{ root: string, scratch: string, file?: string }} folders root: of the lesson's workshop or pack; scratch: a
 *   folder for copies
 * @returns {{ dir: string, shownDir: string }} dir: where to run it; shownDir: what the learner calls it
 * @throws {WorkshopError} when that file is not in it
 */
export function openSubmission (dir, { root, scratch, file = 'server.js' }) {
  const given = path.resolve(dir)
  const kind = fs.statSync(given, { throwIfNoEntry: false })
  if (!kind) throw new WorkshopError(`There is no folder ${given}. Give --server the folder that holds your ${file}.`)
  if (!kind.isDirectory()) throw new WorkshopError(`${given} is a file. Give --server the folder that holds ${file}.`)
  if (!fs.statSync(path.join(given, file), { throwIfNoEntry: false })?.isFile()) {
    throw new WorkshopError(`There is no ${file} in ${given}. The file that is graded has to be called ${file}.`)
  }
  return { dir: folderToRun(given, { root, scratch }), shownDir: shownPath(given) }
}

/**
 * A folder inside the workshop runs where it is. One outside is copied to a temporary place, from which packages are
 * found in its own node_modules first, then in those of its lesson pack, then in the workshop's.
 *
 * @param {string} given that folder
 * @param {{ root: string, scratch: string }} folders root: of the workshop or pack
 * @returns {string} its real path, or that of the copy
 * @throws {WorkshopError} it is too large
 */
export function folderToRun (given, { root, scratch }) {
  const real = fs.realpathSync(given)
  if (isInWorkshop(real)) return real

  const outer = fs.mkdtempSync(path.join(scratch, 'copy-'))
  const inner = path.join(outer, 'pack')
  const copy = path.join(inner, 'server')
  fs.mkdirSync(inner)
  link(path.join(workshopRoot, 'node_modules'), path.join(outer, 'node_modules'))
  if (!isInWorkshop(root)) {
    link(path.join(root, 'node_modules'), path.join(inner, 'node_modules'))
    const settings = path.join(root, 'package.json')
    if (fs.existsSync(settings)) fs.copyFileSync(settings, path.join(inner, 'package.json'))
  }
  let bytes = 0
  fs.cpSync(real, copy, {
    recursive: true,
    filter: (source) => {
      const name = path.basename(source)
      if (name === 'node_modules' || name === '.git') return false
      const entry = fs.lstatSync(source)
      if (entry.isFile()) bytes += entry.size
      if (bytes > mostBytes) {
        throw new WorkshopError(
          `${given} holds more than 50 MB. Give --server a folder that holds only what is graded.`
        )
      }
      return entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()
    }
  })
  const own = path.join(real, 'node_modules')
  if (fs.existsSync(own)) link(own, path.join(copy, 'node_modules'))
  return fs.realpathSync(copy)
}

/** @param {string} target @param {string} place */
function link (target, place) {
  if (fs.existsSync(target) && !fs.existsSync(place)) fs.symlinkSync(target, place, 'junction')
}
