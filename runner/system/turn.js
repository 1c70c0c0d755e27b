import { createHash } from 'node:crypto'
import { unlink } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
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
 * @typedef {{ release: () => Promise<void> }} Turn
 */

/** Somebody who is told to go and does not is not worth waiting for any longer than this before asking again, ms. */
const askAgainMs = 200

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
    const { release, taken } = await listen(address, about)
    if (release) return { release }
    if (!taken) return { release: async () => {} }
    const isLive = await waitForEnd(address, tell, signal)
    // A process that was killed leaves the file of its socket behind.
    if (!isLive && isFile(address)) await unlink(address).catch(() => {})
    if (!isLive) await sleep(Math.random() * askAgainMs, undefined, { signal })
  }
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
 * @returns {Promise<{ release?: () => Promise<void>, taken: boolean }>}
 */
async function listen (address, about) {
  /** @type {Set<net.Socket>} */
  const waiting = new Set()
  const server = net.createServer((socket) => {
    waiting.add(socket)
    socket.on('error', () => {}).on('close', () => waiting.delete(socket)).unref()
    socket.write(`${about}\n`)
  })
  const error = await new Promise((resolve) => {
    server.on('error', resolve).listen(address, () => resolve(null))
  })
  if (error !== null) return { taken: error.code === 'EADDRINUSE' }
  // That nobody else may measure is no reason to stay alive.
  server.unref()
  const release = () => new Promise((resolve) => {
    server.close(() => resolve(undefined))
    for (const socket of waiting) socket.destroy()
  })
  return { release, taken: true }
}

/**
 * @param {string} address
 * @param {(about: string) => void} tell
 * @param {AbortSignal} [signal]
 * @returns {Promise<boolean>} false: nobody was there
 */
function waitForEnd (address, tell, signal) {
  return new Promise((resolve, reject) => {
    let isLive = false
    let text = ''
    const socket = net.connect(address)
    const stop = () => {
      socket.destroy()
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
    socket.setEncoding('utf8')
      .on('connect', () => { isLive = true })
      .on('data', (more) => {
        text = (text + more).slice(0, 1000)
        if (text.includes('\n')) tell(text.split('\n')[0])
      })
      .on('error', () => {})
      .on('close', () => {
        signal?.removeEventListener('abort', stop)
        resolve(isLive)
      })
  })
}
