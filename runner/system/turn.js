import { createHash } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * One at a time on this machine, also across terminals: whoever has the turn listens on a socket that everybody can
 * name, so the system itself gives the turn back when a process is killed.
 *
 * @typedef {object} TurnOptions
 * @property {string} [about] what the turn is for: those that wait are told
 * @property {(about: string) => void} [onWait] called once, when somebody else has the turn
 * @property {AbortSignal} [signal] ends the waiting; `release` is still the caller's
 *
 * @typedef {(line: unknown) => void} Publish tells something, as JSON, those that wait or follow; who comes late gets
 *   all of this turn
 *
 * @typedef {{ release: () => Promise<void>, publish: Publish }} Turn
 */

/** Somebody who is told to go and does not is not worth waiting for any longer than this before asking again, ms. */
const askAgainMs = 200

/** Somebody who is told that the turn is over and does not read it is cut off, ms. */
const partingMs = 1000

/**
 * Waits for the turn. Where the system gives no such socket, everybody has it.
 *
 * @param {string} name what must not be done twice at once, such as measuring for a workspace (a path)
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
 * The turn, if nobody has it.
 *
 * @param {string} name
 * @param {AbortSignal} [signal]
 * @returns {Promise<Turn | null>} null: somebody has it
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
 * Listens to whoever has the turn, if anybody has, until they give it back.
 *
 * @param {string} name
 * @param {object} options
 * @param {(about: string) => void} [options.onAbout] called once
 * @param {(line: any) => void} [options.onLine] what they published, also before we came
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<boolean>} false: nobody has it
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
  // That nobody else may measure is no reason to stay alive.
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
 * @returns {Promise<boolean>} false: nobody was there
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
    // Another version of the workshop may speak in another way.
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
