import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import { WorkshopError } from '../shared/errors.js'

/**
 * A lock across processes. Its holder listens on a socket in a known place, so the system itself releases the lock
 * when the holder is killed.
 *
 * @import { Server } from 'node:net'
 *
 * @typedef {object} TurnOptions
 * @property {string} [about] what the turn is for, shown to those that wait
 * @property {(about: string, number: number) => void} [onWait] called while the turn is taken, with the place in the
 *   queue, from 1: first when that is known, and again whenever it or the holder changes
 * @property {() => void} [onTaken] called as soon as it is known that the turn is taken
 * @property {AbortSignal} [signal] ends the waiting; `release` is still the caller's
 *
 * @typedef {(line: unknown) => void} Publish sends JSON to all that wait or follow; latecomers get all of this turn
 *
 * @typedef {{ release: () => Promise<void>, publish: Publish }} Turn
 */

/** Pause before trying again where others come first, or a holder does not answer, ms. */
const askAgainMs = 50

/** Followers that do not read the end of the turn within this time are cut off, ms. */
const partingMs = 1000

/**
 * Waits for the turn. On a system without such sockets it is always free.
 *
 * @param {string} name what must not be done twice at the same time
 * @param {TurnOptions} [options]
 * @returns {Promise<Turn>}
 * @throws {Error} the reason of `signal`
 */
export async function takeTurn (name, { about = '', onWait = () => {}, onTaken = () => {}, signal } = {}) {
  const place = await turnPlace(name)
  let theirs = ''
  let number = 1
  const onAbout = (/** @type {string} */ about) => {
    theirs = about
    onTaken()
  }
  let said = ''
  const onLine = (/** @type {any} */ line) => {
    if (line?.type !== 'place') return
    number = line.number
    // A holder sends all places again when somebody joins at the end.
    const saying = `${number} ${theirs}`
    if (saying === said) return
    said = saying
    onWait(theirs, number)
  }
  for (;;) {
    signal?.throwIfAborted()
    if (await followHolder(place, { onAbout, onLine, isWaiting: true, signal })) {
      await sleep((number - 1) * askAgainMs, undefined, { signal })
      continue
    }
    const turn = await claim(place, about)
    if (turn !== null) return turn
    await sleep(Math.random() * askAgainMs, undefined, { signal })
  }
}

/**
 * Takes the turn if it is free.
 *
 * @param {string} name
 * @param {AbortSignal} [signal]
 * @returns {Promise<Turn | null>} null: it is taken
 * @throws {Error} the reason of `signal`
 */
export async function takeTurnAtOnce (name, signal) {
  const taken = new AbortController()
  const either = signal ? AbortSignal.any([signal, taken.signal]) : taken.signal
  return takeTurn(name, { signal: either, onTaken: () => taken.abort() }).catch((error) => {
    if (taken.signal.aborted && !signal?.aborted) return null
    throw error
  })
}

/**
 * Follows the holder of the turn until it is released.
 *
 * @param {string} name
 * @param {object} options
 * @param {(about: string) => void} [options.onAbout] called once
 * @param {(line: any) => void} [options.onLine] what it publishes, and what it published before
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<boolean>} false: it was free
 * @throws {Error} the reason of `signal`
 */
export async function followTurn (name, options) {
  options.signal?.throwIfAborted()
  return followHolder(await turnPlace(name), options)
}

/** @param {TurnPlace} place @param {string} about @returns {Promise<Turn | null>} null: others came first */
async function claim (place, about) {
  /** @type {Set<net.Socket>} */
  const following = new Set()
  /** Those of them that want the turn next. @type {Set<net.Socket>} */
  const queue = new Set()
  const tellPlaces = () => [...queue].forEach((socket, at) =>
    socket.write(`${JSON.stringify({ type: 'place', number: at + 1 })}\n`))
  let said = `${about}\n`
  const server = net.createServer((socket) => {
    following.add(socket)
    socket
      .on('error', () => {})
      .on('data', () => {
        queue.add(socket)
        tellPlaces()
      })
      .on('close', () => {
        following.delete(socket)
        if (queue.delete(socket)) tellPlaces()
      })
      .unref()
    socket.write(said)
  })
  const { state, leave } = await place.claim(server)
  const release = async () => {
    // Each keeps its place for the next holder.
    queue.clear()
    await leave()
    await new Promise((resolve) => {
      server.close(() => resolve(undefined))
      for (const socket of following) socket.destroySoon()
      setTimeout(() => following.forEach((socket) => socket.destroy()), partingMs).unref()
    })
  }
  if (state !== 'held') {
    await release()
    return state === 'taken' ? null : { release: async () => {}, publish: () => {} }
  }
  // Holding the turn must not keep the process alive.
  server.unref()
  const publish = (/** @type {unknown} */ line) => {
    const text = `${JSON.stringify(line)}\n`
    said += text
    for (const socket of following) socket.write(text)
  }
  return { release, publish }
}

/**
 * @param {TurnPlace} place
 * @param {Parameters<typeof followTurn>[1] & { isWaiting?: boolean }} options
 * @returns {Promise<boolean>} false: nothing listened there
 */
async function followHolder (place, { onAbout = () => {}, onLine = () => {}, isWaiting = false, signal }) {
  const address = await place.holder()
  signal?.throwIfAborted()
  if (address === null) return false
  return new Promise((resolve, reject) => {
    let isLive = false
    let isDead = false
    const socket = net.connect(address)
    const stop = () => {
      socket.destroy()
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
    socket
      .on('connect', () => {
        isLive = true
        if (isWaiting) socket.write('wait\n')
      })
      .on('data', splitLines((line, number) => number === 0 ? onAbout(line) : hear(line, onLine)))
      .on('error', (/** @type {NodeJS.ErrnoException} */ { code }) => { isDead ||= code === 'ECONNREFUSED' })
      .on('close', async () => {
        signal?.removeEventListener('abort', stop)
        if (isDead) await place.forget(address)
        resolve(isLive)
      })
  })
}

/** @param {string} line @param {(line: any) => void} onLine */
function hear (line, onLine) {
  try {
    onLine(JSON.parse(line))
  } catch (error) {
    // Another version of the workshop may send something else.
    if (!(error instanceof SyntaxError)) throw error
  }
}

/** @param {(line: string, number: number) => void} onLine @returns {(bytes: Buffer) => void} */
function splitLines (onLine) {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let number = 0
  return (bytes) => {
    const lines = (rest + decoder.write(bytes)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line, number++)
  }
}

/**
 * Where the holder of a turn listens: a named pipe on Windows, elsewhere a socket in a folder that only this user may
 * enter, so that no other account can listen or come first.
 *
 * @typedef {object} TurnPlace
 * @property {() => Promise<string | null>} holder the address to connect to; null: the turn is free
 * @property {(address: string) => Promise<void>} forget the socket of a holder that was killed
 * @property {(server: Server) => Promise<{ state: 'held' | 'taken' | 'impossible', leave: () => Promise<void> }>} claim
 *   impossible: there are no such sockets here; leave: to be called before the server is closed
 */

/** A socket's path may have 103 bytes on macOS, 107 on Linux. */
const longestPath = 103

/** @param {string} name @returns {Promise<TurnPlace>} @throws {WorkshopError} another account has the folder */
async function turnPlace (name) {
  if (process.platform === 'win32') return pipePlace(`${os.userInfo().username}\0${name}`)
  const folder = runtimeFolder()
  const isThere = await makePrivate(folder)
  return isThere ? socketPlace(path.join(folder, shortName(name))) : noPlace
}

/** @param {string} temporary the system's folder @returns {string} not made yet; short enough for a socket's path */
export function runtimeFolder (temporary = os.tmpdir()) {
  const name = `.make-it-fast-${process.getuid?.()}`
  const longest = path.join(temporary, name, shortName(''), newName())
  return path.join(Buffer.byteLength(longest) > longestPath ? '/tmp' : temporary, name)
}

/** @param {string} folder @returns {Promise<boolean>} false: it can't be made @throws {WorkshopError} it isn't ours */
async function makePrivate (folder) {
  const error = await fs.mkdir(folder, { mode: 0o700 }).then(() => null, (error) => error)
  if (error !== null && error.code !== 'EEXIST') return false
  const found = await fs.lstat(folder)
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0) return true
  throw new WorkshopError(`${folder} has to be a folder that only you may enter, and it isn’t: remove it, or set ` +
    'TMPDIR to a folder of yours.')
}

/**
 * The holder's socket lies alone in a folder. To claim the turn is to rename a folder with a socket to that name, which
 * the system refuses unless the folder there is empty. What a killed holder left is removed by a name that no other
 * socket ever has, so that a socket in use is never removed.
 *
 * @param {string} folder @returns {TurnPlace}
 */
function socketPlace (folder) {
  return {
    holder: async () => {
      const [socket] = await fs.readdir(folder).catch(() => [])
      return socket === undefined ? null : path.join(folder, socket)
    },
    forget: (address) => fs.unlink(address).catch(() => {}),
    claim: async (server) => {
      const name = newName()
      const own = path.join(path.dirname(folder), name)
      const leave = async () => {
        for (const place of [folder, own]) {
          await fs.unlink(path.join(place, name)).catch(() => {})
          await fs.rmdir(place).catch(() => {})
        }
      }
      try {
        await fs.mkdir(own, { mode: 0o700 })
        await listenOn(server, path.join(own, name))
        await fs.rename(own, folder)
        return { state: 'held', leave }
      } catch (error) {
        await leave()
        const isTaken = error.syscall === 'rename' && ['ENOTEMPTY', 'EEXIST'].includes(error.code)
        return { state: isTaken ? 'taken' : 'impossible', leave }
      }
    }
  }
}

/** @param {string} name @returns {TurnPlace} */
function pipePlace (name) {
  const address = `\\\\.\\pipe\\make-it-fast-${shortName(name)}`
  const leave = async () => {}
  return {
    holder: async () => address,
    forget: async () => {},
    claim: (server) => listenOn(server, address).then(
      () => ({ state: 'held', leave }),
      (error) => ({ state: error.code === 'EADDRINUSE' ? 'taken' : 'impossible', leave }))
  }
}

/** @type {TurnPlace} */
const noPlace = {
  holder: async () => null,
  forget: async () => {},
  claim: async () => ({ state: 'impossible', leave: async () => {} })
}

/** @param {Server} server @param {string} address @returns {Promise<void>} */
function listenOn (server, address) {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(address, () => resolve())
  })
}

/** @param {string} name */
function shortName (name) {
  return createHash('sha256').update(name).digest('hex').slice(0, 16)
}

function newName () {
  return randomBytes(6).toString('hex')
}

/**
 * @typedef {'check' | 'preview' | 'bench' | 'profile' | 'load'} JobKind
 *
 * @typedef {{ kind: JobKind, entry: { number: number }, dir: string }} OfLesson dir: of the server that is measured
 * @typedef {{ kind: 'compare' }} OfTwo two servers that belong to no lesson
 */

/** Everything that shares our temporary folder takes turns. */
export const measuring = `measuring\0${os.tmpdir()}`

/** @type {Record<JobKind, string>} */
const names = {
  check: 'a check of',
  preview: 'a look at',
  bench: 'a benchmark of',
  profile: 'a profile of',
  load: 'a load on a server of'
}

/**
 * Runs one measurement at a time on this machine: waits for its turn, and holds it while `act` runs.
 *
 * @template T
 * @param {object} given
 * @param {string | OfLesson | OfTwo} given.about shown to those that wait
 * @param {string} [given.where] where it runs, as they see it
 * @param {(sentence: string) => (() => void) | void} given.tell called if it has to wait, and again when its place in
 *   the queue changes; the function that it returned last is called when the wait is over
 * @param {AbortSignal} given.signal
 * @param {(publish: Publish) => Promise<T>} act publish: sends to those that follow the turn
 * @returns {Promise<T>}
 */
export async function inTurn ({ about, where = 'in another terminal', tell, signal }, act) {
  const what = whatOf(about)
  let over = () => {}
  const turn = await takeTurn(measuring, {
    about: `${what} ${where}`,
    signal,
    onWait: (theirs, number) => {
      over = tell(`Waiting for ${theirs || 'another measurement'}: two at once would spoil both. ` +
        (number === 1 ? 'Next in the queue.' : `Number ${number} in the queue.`)) ?? over
    }
  })
  over()
  if (typeof about !== 'string') {
    const { kind } = about
    // Pages that follow the turn know the measurement by this first line.
    turn.publish({ type: 'job', kind, pid: process.pid, ...'dir' in about && { dir: path.resolve(about.dir) } })
  }
  try {
    return await act(turn.publish)
  } finally {
    await turn.release()
  }
}

/** @param {string | OfLesson | OfTwo} about */
function whatOf (about) {
  if (typeof about === 'string') return about
  return about.kind === 'compare' ? 'a comparison' : `${names[about.kind]} lesson ${about.entry.number}`
}
