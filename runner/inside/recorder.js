import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { createPendingRequests } from '../shared/pending-requests.js'
import { recorderName } from './recorder/name.js'

/**
 * A process or a thread that can be recorded.
 *
 * @typedef {object} Member
 * @property {number} pid
 * @property {number} threadId 0 for the main thread
 * @property {boolean} main
 * @property {() => boolean} isGone
 *
 * @typedef {{ member: Member, value: any, error: null } | { member: Member, value: null, error: string }} Answer
 *
 * @typedef {Awaited<ReturnType<typeof openHub>>} Hub
 */

/** A server that blocks its event loop answers between two requests, not at once. */
const answerMs = 20_000
const mostBytes = 512 * 1024 * 1024

/** The place to which everything that is recorded connects. Only what knows the token is listened to. */
export async function openHub () {
  const token = randomUUID()
  /** @type {Map<import('node:net').Socket, Joined>} */
  const joined = new Map()
  /** Also those that have not said who they are. @type {Set<import('node:net').Socket>} */
  const sockets = new Set()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    join(socket, token, joined)
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(undefined))
  })
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const preload = new URL('recorder/member.js', import.meta.url).href
  const present = () => [...joined.values()]
  return {
    /** Variables that a server needs to be recorded, with all that it starts. */
    env: { NODE_OPTIONS: `--import=${preload}`, [recorderName]: `${port} ${token}` },
    /** The members that are there now, in the order in which they came. */
    members: () => present().map(({ member }) => member),
    /** Threads that were started and have not come. */
    unrecorded: () => present().flatMap(({ member: { pid }, workers }) => [...workers]
      .filter((id) => !present().some(({ member }) => member.pid === pid && member.threadId === id))
      .map((threadId) => ({ pid, threadId }))),
    /**
     * All members, or `to` some, at once. Never rejects: a member that fails, ends or doesn't answer says so.
     *
     * @param {string} order @param {object} [params] @param {{ timeoutMs?: number, to?: readonly Member[] }} [options]
     */
    ask: (order, params = {}, { timeoutMs = answerMs, to } = {}) => Promise.all(present()
      .filter(({ member }) => to === undefined || to.includes(member))
      .map((one) => one.ask(order, params, timeoutMs))),
    close: () => new Promise((/** @type {(value: void) => void} */ resolve) => {
      for (const socket of sockets) socket.destroy()
      server.close(() => resolve())
    })
  }
}

/**
 * @typedef {{ member: Member, workers: Set<number>, ask: (order: string, params: object, timeoutMs: number) =>
 *   Promise<Answer> }} Joined
 *
 * @param {import('node:net').Socket} socket
 * @param {string} token
 * @param {Map<import('node:net').Socket, Joined>} joined
 */
function join (socket, token, joined) {
  const { ask, answer, fail, failAll } = createPendingRequests()
  const take = (/** @type {string} */ line) => {
    const message = parse(line)
    if (message === null) return socket.destroy()
    if (!joined.has(socket)) {
      if (message.hello !== token) return socket.destroy()
      const { pid, threadId, main } = message
      const member = { pid, threadId, main, isGone: () => !joined.has(socket) }
      joined.set(socket, { member, workers: new Set(), ask: (...given) => askOne(member, ...given) })
      return
    }
    if (message.worker !== undefined) joined.get(socket)?.workers.add(message.worker)
    if (message.error === undefined) answer(message.id, message.value)
    else fail(message.id, new Error(message.error))
  }
  /** @type {(member: Member, ...given: Parameters<Joined['ask']>) => Promise<Answer>} */
  const askOne = async (member, order, params, timeoutMs) => {
    const send = (/** @type {number} */ id) => { socket.write(`${JSON.stringify({ id, order, params })}\n`) }
    try {
      const late = `it did not answer within ${timeoutMs / 1000} s`
      return { member, value: await ask(send, { timeoutMs, late }), error: null }
    } catch (error) {
      return { member, value: null, error: error.message }
    }
  }
  const split = splitLines({ take, giveUp: () => socket.destroy() })
  socket.setEncoding('utf8')
  socket.on('error', () => {})
  socket.on('close', () => {
    joined.delete(socket)
    failAll(new Error('it ended'))
  })
  socket.on('data', (/** @type {any} */ chunk) => split(chunk))
}

/**
 * Puts lines together that come in pieces.
 *
 * @param {{ take: (line: string) => void, giveUp: () => void }} given giveUp: a line is longer than a recorder sends
 */
function splitLines ({ take, giveUp }) {
  /** @type {string[]} */
  let parts = []
  let bytes = 0
  return (/** @type {string} */ chunk) => {
    bytes += chunk.length
    if (bytes > mostBytes) return giveUp()
    const at = chunk.lastIndexOf('\n')
    // A profile of megabytes comes in many chunks: joining them each time would take quadratic time.
    if (at < 0) return parts.push(chunk)
    const lines = [...parts, chunk.slice(0, at)].join('').split('\n')
    parts = [chunk.slice(at + 1)]
    bytes = parts[0].length
    for (const line of lines) take(line)
  }
}

/** @param {string} line @returns {any} null when it is no object */
function parse (line) {
  try {
    const message = JSON.parse(line)
    return typeof message === 'object' ? message : null
  } catch {
    return null
  }
}
