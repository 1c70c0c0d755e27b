import net from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import { turnPlace } from './turn-place.js'

/**
 * A lock across processes. Its holder listens on a socket in a known place, so the system itself releases the lock
 * when the holder is killed.
 *
 * @import { TurnPlace } from './turn-place.js'
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
