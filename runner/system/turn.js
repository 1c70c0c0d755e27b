import { createHash } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A lock across processes. Its holder listens on a socket with a known name, so the system itself releases the lock
 * when the holder is killed.
 *
 * @typedef {object} TurnOptions
 * @property {string} [about] what the turn is for, shown to those that wait
 * @property {(about: string) => void} [onWait] called once, when the turn is taken
 * @property {AbortSignal} [signal] ends the waiting; `release` is still the caller's
 *
 * @typedef {(line: unknown) => void} Publish sends JSON to all that wait or follow; latecomers get all of this turn
 *
 * @typedef {{ release: () => Promise<void>, publish: Publish }} Turn
 */

/** Pause before trying again where a holder does not answer, ms. */
const askAgainMs = 200

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
export async function takeTurn (name, { about = '', onWait = () => {}, signal } = {}) {
  const address = addressOf(name)
  let isTold = false
  const tell = (/** @type {string} */ theirs) => {
    if (!isTold) onWait(theirs)
    isTold = true
  }
  for (;;) {
    signal?.throwIfAborted()
    const { turn, taken } = await listen(address, about)
    if (turn) return turn
    if (!taken) return { release: async () => {}, publish: () => {} }
    const isLive = await followUntilEnd(address, { onAbout: tell, signal })
    // A process that was killed leaves the file of its socket behind.
    if (!isLive && isFile(address)) await unlink(address).catch(() => {})
    if (!isLive) await sleep(Math.random() * askAgainMs, undefined, { signal })
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
  return takeTurn(name, { signal: either, onWait: () => taken.abort() }).catch((error) => {
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
  return followUntilEnd(addressOf(name), options)
}

/** @param {string} name @returns {string} a pipe, an abstract socket of Linux, or a file for a socket */
function addressOf (name) {
  const user = process.getuid?.() ?? os.userInfo().username
  const short = `make-it-fast-${createHash('sha256').update(`${user}\0${name}`).digest('hex').slice(0, 24)}`
  if (process.platform === 'win32') return `\\\\.\\pipe\\${short}`
  if (process.platform === 'linux') return `\0${short}`
  return path.join(os.tmpdir(), `${short}.sock`)
}

/** @param {string} address */
function isFile (address) {
  return path.isAbsolute(address) && process.platform !== 'win32'
}

/**
 * @param {string} address
 * @param {string} about
 * @returns {Promise<{ turn?: Turn, taken: boolean }>}
 */
async function listen (address, about) {
  /** @type {Set<net.Socket>} */
  const waiting = new Set()
  let said = `${about}\n`
  const server = net.createServer((socket) => {
    waiting.add(socket)
    socket.on('error', () => {}).on('close', () => waiting.delete(socket)).unref()
    socket.write(said)
  })
  const error = await new Promise((resolve) => {
    server.on('error', resolve).listen(address, () => resolve(null))
  })
  if (error !== null) return { taken: error.code === 'EADDRINUSE' }
  // Holding the turn must not keep the process alive.
  server.unref()
  const publish = (/** @type {unknown} */ line) => {
    const text = `${JSON.stringify(line)}\n`
    said += text
    for (const socket of waiting) socket.write(text)
  }
  const release = () => new Promise((resolve) => {
    server.close(() => resolve(undefined))
    for (const socket of waiting) socket.destroySoon()
    setTimeout(() => waiting.forEach((socket) => socket.destroy()), partingMs).unref()
  })
  return { turn: { release, publish }, taken: true }
}

/**
 * @param {string} address
 * @param {Parameters<typeof followTurn>[1]} options
 * @returns {Promise<boolean>} false: nothing listened there
 */
function followUntilEnd (address, { onAbout = () => {}, onLine = () => {}, signal }) {
  return new Promise((resolve, reject) => {
    let isLive = false
    const socket = net.connect(address)
    const stop = () => {
      socket.destroy()
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
    socket
      .on('connect', () => { isLive = true })
      .on('data', splitLines((line, number) => number === 0 ? onAbout(line) : hear(line, onLine)))
      .on('error', () => {})
      .on('close', () => {
        signal?.removeEventListener('abort', stop)
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
