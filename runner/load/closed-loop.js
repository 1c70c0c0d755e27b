import { mostBytes } from '../decoders.js'
import { runAutocannon } from './autocannon.js'

/**
 * @import { Problem } from '../judge/index.js'
 * @import { Item } from '../lesson/index.js'
 * @import { Connection, Handlers } from './autocannon.js'
 *
 * @typedef {object} RawAnswer
 * @property {Item} item what was asked
 * @property {number} status
 * @property {string[]} rawHeaders names and values in turn
 * @property {Buffer[]} chunks the body as it came
 * @property {number} sentAt ms
 * @property {number} receivedAt ms
 *
 * @typedef {object} LoopOptions
 * @property {number} port on 127.0.0.1
 * @property {number} connections
 * @property {() => Item} next
 * @property {(answer: RawAnswer) => boolean} onAnswer returns false when no further request is to be sent
 * @property {number} [exactly] send exactly so many requests
 * @property {number} [answerTimeoutMs]
 * @property {number} [sampleMs] autocannon's tick
 *
 * @typedef {object} ClosedLoopResult
 * @property {number} startedAt ms, when the first request was sent
 * @property {Problem | null} broken why the slice was given up
 * @property {any} result autocannon's own result, for its own table
 *
 * What all connections of a slice share.
 * @typedef {object} Loop
 * @property {LoopOptions} options
 * @property {number} timeoutMs
 * @property {Set<Connection>} connections that were opened
 * @property {number} startedAt 0 before the first request
 * @property {number} sent requests
 * @property {number} paused connections that will send once more after their pause
 * @property {boolean} open may further requests be sent?
 * @property {Problem | null} broken
 *
 * A request that waits for its answer.
 * @typedef {{ item: Item, sentAt: number, pieces: number, chunks: Buffer[], bytes: number, head:
 *   Parameters<Handlers['onHeaders']>[0] | null }} Flight
 */

/**
 * One answer in so many is followed by a pause, as is the last: a server that answers ahead of requests does so in it.
 */
const answersForPause = 256

/**
 * A slice of closed-loop load: each connection sends its next request as soon as the last was answered.
 *
 * autocannon sends and parses; what it makes of the answers is not used. Its counts take every answer for a good one, a
 * 103 for an answer and a lost connection for nothing at all, and it reads bodies as text chunk by chunk. So the
 * answers are collected here, byte for byte, and anything that its client would paper over ends the slice.
 *
 * An answer that was sent before its request could arrive would count for the next one: a server whose answers can be
 * foretold could send ten for each request. So an answer must not come in the same piece of data as the one before it,
 * nor while its connection has no request in flight. Connections pause at moments that a server can't predict.
 *
 * @param {LoopOptions} options
 * @returns {Promise<ClosedLoopResult>} after the last request in flight was answered
 */
export async function runClosedLoop (options) {
  const { port, connections, exactly = Infinity, answerTimeoutMs = 10_000, sampleMs = 5 } = options
  // autocannon takes whole seconds only.
  const timeoutMs = Math.max(1, Math.round(answerTimeoutMs / 1000)) * 1000
  /** @type {Loop} */
  const loop = {
    options,
    timeoutMs,
    connections: new Set(),
    startedAt: 0,
    sent: 0,
    paused: 0,
    open: true,
    broken: null
  }
  const result = await runAutocannon({
    port,
    connections: Math.min(connections, exactly),
    timeoutMs,
    sampleMs,
    onConnection: (connection) => handle(loop, connection)
  })
  return { startedAt: loop.startedAt, broken: loop.broken, result }
}

/** @param {Loop} loop @param {Connection} connection @returns {Handlers} */
function handle (loop, connection) {
  const { next, onAnswer } = loop.options
  loop.connections.add(connection)
  /** @type {Flight | null} */
  let flight = null
  let item = next()
  connection.ask(item)
  return {
    onRequest: () => {
      if (loop.broken || connection.isDestroyed()) return
      const sentAt = performance.now()
      // It has opened another connection without a word: it lost patience, or the server closed the old one.
      if (flight) return giveUp(loop, sentAt - flight.sentAt > loop.timeoutMs - 50 ? late(flight, loop) : lost(flight))
      loop.startedAt ||= sentAt
      loop.sent++
      flight = { item, sentAt, pieces: connection.pieces(), chunks: [], bytes: 0, head: null }
    },
    onHeaders: (head) => {
      if (loop.broken) return
      // In the same piece of data as the answer before: its request left while that was being read.
      if (!flight || connection.pieces() === flight.pieces) return giveUp(loop, unasked(flight?.item ?? item))
      if (head.statusCode < 200) return giveUp(loop, interim(flight, head.statusCode))
      flight.head = head
    },
    onChunk: (chunk) => {
      if (loop.broken || !flight) return
      flight.bytes += chunk.length
      if (flight.bytes > mostBytes) giveUp(loop, { kind: 'cut', message: `${label(flight.item)}: ${tooLong}` })
      else flight.chunks.push(chunk)
    },
    onAnswer: (status) => {
      if (loop.broken || !flight) return
      const { head, chunks, sentAt } = flight
      const rawHeaders = head?.headers ?? []
      const answer = { item: flight.item, status, rawHeaders, chunks, sentAt, receivedAt: performance.now() }
      flight = null
      loop.open = onAnswer(answer) && loop.open
      if (loop.open && mayAsk(loop)) {
        item = next()
        connection.ask(item)
        // Closing a connection with an announcement is allowed, at the server's own cost.
        if (!head?.shouldKeepAlive) connection.renew()
        else if (Math.random() * answersForPause < 1) pauseAndGoOn(loop, connection)
      } else {
        connection.pause(connection.destroy)
      }
    },
    onError: (error) => {
      if (loop.broken || connection.isDestroyed()) return
      giveUp(loop, error.code === 'ECONNREFUSED' ? refused : lost(flight))
    }
  }
}

/** @param {Loop} loop @param {Problem} problem */
function giveUp (loop, problem) {
  loop.broken ??= problem
  loop.open = false
  // Not from within autocannon's own handlers: they go on using the client.
  setImmediate(() => loop.connections.forEach((connection) => connection.destroy()))
}

/** @param {Loop} loop */
function mayAsk ({ options: { connections, exactly = Infinity }, connections: opened, sent, paused }) {
  // A connection that is about to send its first request has not been counted yet.
  const waiting = Math.max(0, Math.min(connections, exactly) - opened.size)
  return sent + paused < exactly - waiting
}

/** @param {Loop} loop @param {Connection} connection */
function pauseAndGoOn (loop, connection) {
  loop.paused++
  connection.pause(() => {
    loop.paused--
    if (connection.isDestroyed()) return
    if (loop.open) connection.goOn()
    else connection.destroy()
  })
}

export const tooLong = 'the answer is longer than 64 MB.'

/** @type {Problem} */
const refused = { kind: 'refused', message: 'The server no longer accepts connections.' }

/** @param {Flight} flight @param {Loop} loop @returns {Problem} */
function late ({ item }, { timeoutMs }) {
  return { kind: 'no answer', message: `${label(item)}: no answer within ${timeoutMs / 1000} s.` }
}

/** @param {Flight | null} flight @returns {Problem} */
function lost (flight) {
  if (!flight) return { kind: 'closed', message: 'The server closed a connection.' }
  const { item, head, bytes } = flight
  if (!head) return { kind: 'closed', message: `${label(item)}: the server closed the connection without an answer.` }
  const message = `${label(item)}: the answer was cut; the connection was closed after ${bytes} bytes of the body.`
  return { kind: 'cut', message }
}

/** @param {Flight} flight @param {number} status @returns {Problem} */
function interim ({ item }, status) {
  const message = `${label(item)}: the server sent an interim answer (${status}), which a client of this API cannot ` +
    'use.'
  return { kind: 'interim', message }
}

/** @param {Item} item @returns {Problem} */
function unasked (item) {
  const message = `${label(item)}: an answer came before its request could have arrived: ` +
    'answer each request once, and none in advance.'
  return { kind: 'unasked', message }
}

/** @param {Item} item */
export function label ({ method = 'GET', path }) {
  return `${method} ${path.length > 60 ? `${path.slice(0, 57)}…` : path}`
}
