import { mostBytes } from '../shared/http-fields.js'

/**
 * A slice of closed-loop load. This file alone touches the inside of autocannon, which sends and parses for us.
 * `test/load/traps.test.js` holds what is relied on here; a new version of the package has to pass it.
 *
 * @import { Socket } from 'node:net'
 * @import { Problem } from '../judge/index.js'
 * @import { Item } from '../lesson/index.js'
 *
 * @typedef {object} RawAnswer
 * @property {Item} item what was asked
 * @property {number} status
 * @property {string[]} rawHeaders names and values in turn
 * @property {Buffer[]} chunks the body as it came
 * @property {number} port the client's
 * @property {number} sentAt ms
 * @property {number} receivedAt ms
 *
 * @typedef {object} LoopOptions
 * @property {number} port on 127.0.0.1
 * @property {number} connections
 * @property {() => Item} next
 * @property {(answer: RawAnswer) => boolean} onAnswer returns false when no further request is to be sent
 * @property {number} [exactly] send exactly so many requests
 * @property {Set<Socket>} [lasting] gets the connections, which stay open
 * @property {number} [answerTimeoutMs]
 * @property {number} [sampleMs] autocannon's tick: it stops only on ticks, and its table counts answers for each
 *
 * The state that all connections of a slice share.
 * @typedef {ReturnType<typeof newLoop>} Loop
 *
 * @typedef {{ statusCode: number, headers: string[], shouldKeepAlive: boolean }} Head
 *
 * A request that waits for its answer.
 * @typedef {{ item: Item, sentAt: number, pieces: number, chunks: Buffer[], bytes: number, head: Head | null, port:
 *   number }} Flight
 */

/**
 * One answer in so many is followed by a pause, as is the last: a server that answers ahead of requests does so in it.
 */
const answersForPause = 256
/** How long a pause is, ms. */
const pauseMs = 3

/**
 * Each connection sends its next request as soon as the last was answered.
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
 * @returns {Promise<{ startedAt: number, receivedAt: number[], latencies: number[], broken: Problem | null, result:
 *   any }>} after the last request in flight was answered; startedAt: ms, when the first request was sent; receivedAt,
 *   latencies: of the answers, in the order of arrival; broken: why the slice was given up; result: autocannon's own,
 *   for its own table
 */
export async function runClosedLoop (options) {
  const autocannon = await loadAutocannon()
  const { port, connections, exactly = Infinity, sampleMs = 5 } = options
  const loop = newLoop(options)
  const settings = {
    url: `http://127.0.0.1:${port}`,
    connections: Math.min(connections, exactly),
    pipelining: 1,
    // autocannon stops when its clients have stopped, at its next tick.
    duration: 3600,
    sampleInt: sampleMs,
    timeout: loop.timeoutMs / 1000,
    setupClient: (/** @type {any} */ client) => handle(loop, client)
  }
  return new Promise((resolve, reject) => {
    autocannon(settings, (error, result) => {
      const { startedAt, receivedAt, latencies, broken } = loop
      if (error) reject(error)
      else resolve({ startedAt, receivedAt, latencies, broken, result })
    })
  })
}

/** Most processes that import this file never load anything, and reading the package takes 0.1 s. */
export async function loadAutocannon () {
  return (await import('autocannon')).default
}

/** @param {LoopOptions} options */
function newLoop (options) {
  return {
    options,
    // autocannon takes whole seconds only.
    timeoutMs: Math.max(1, Math.round((options.answerTimeoutMs ?? 10_000) / 1000)) * 1000,
    /** The connections that were opened. @type {Set<Connection>} */
    connections: new Set(),
    /** 0 before the first request. */
    startedAt: 0,
    /** @type {number[]} */
    receivedAt: [],
    /** @type {number[]} */
    latencies: [],
    /** How many requests. */
    sent: 0,
    /** Connections that will send once more after their pause. */
    paused: 0,
    /** May further requests be sent? */
    open: true,
    /** @type {Problem | null} */
    broken: null
  }
}

/** @param {Loop} loop @param {any} client one of autocannon's, before it sends */
function handle (loop, client) {
  const { next, onAnswer, lasting } = loop.options
  const connection = adapt(client)
  loop.connections.add(connection)
  /** @type {Flight | null} */
  let flight = null
  let item = next()
  connection.ask(item)
  client.on('request', () => {
    if (loop.broken || client.destroyed) return
    const sentAt = performance.now()
    // autocannon has opened another connection without a word: it lost patience, or the server closed the old one.
    if (flight) return giveUp(loop, sentAt - flight.sentAt > loop.timeoutMs - 50 ? late(flight, loop) : lost(flight))
    loop.startedAt ||= sentAt
    loop.sent++
    flight = { item, sentAt, pieces: connection.pieces(), chunks: [], bytes: 0, head: null, port: 0 }
  })
  client.on('headers', (/** @type {Head} */ head) => {
    if (loop.broken) return
    // In the same piece of data as the answer before: its request left while that was being read.
    if (!flight || connection.pieces() === flight.pieces) return giveUp(loop, unasked(flight?.item ?? item))
    if (head.statusCode < 200) return giveUp(loop, interim(flight, head.statusCode))
    flight.head = head
    flight.port = client.conn.localPort
  })
  // autocannon joins the chunks of a body as text, which breaks characters that two chunks share.
  client.pipelinedRequests.addBody = (/** @type {Buffer} */ chunk) => {
    if (loop.broken || !flight) return
    flight.bytes += chunk.length
    if (flight.bytes > mostBytes) giveUp(loop, { kind: 'cut', message: `${label(flight.item)}: ${tooLong}` })
    else flight.chunks.push(chunk)
  }
  client.on('response', (/** @type {number} */ status) => {
    if (loop.broken || !flight) return
    const { head, chunks, sentAt, port } = flight
    const receivedAt = performance.now()
    loop.receivedAt.push(receivedAt)
    loop.latencies.push(receivedAt - sentAt)
    const answer = { item: flight.item, status, rawHeaders: head?.headers ?? [], chunks, port, sentAt, receivedAt }
    flight = null
    loop.open = onAnswer(answer) && loop.open
    if (!loop.open || !mayAsk(loop)) return connection.pause(() => connection.end(lasting))
    item = next()
    connection.ask(item)
    // Closing a connection with an announcement is allowed, at the server's own cost.
    if (!head?.shouldKeepAlive) connection.renew()
    else if (Math.random() * answersForPause < 1) pauseAndGoOn(loop, connection)
  })
  client.on('connError', (/** @type {NodeJS.ErrnoException} */ error) => {
    if (loop.broken || client.destroyed) return
    giveUp(loop, error.code === 'ECONNREFUSED' ? refused : lost(flight))
  })
}

/** @param {Loop} loop @param {Problem} problem */
function giveUp (loop, problem) {
  loop.broken ??= problem
  loop.open = false
  // Not from within autocannon's own handlers: they go on using the client.
  setImmediate(() => loop.connections.forEach(({ client }) => client.destroy()))
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
    if (connection.client.destroyed) return
    if (loop.open) connection.goOn()
    else connection.end(loop.options.lasting)
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

/**
 * One of autocannon's clients, as the loop needs it.
 *
 * @typedef {ReturnType<typeof adapt>} Connection
 *
 * @param {any} client
 */
function adapt (client) {
  const line = watchPieces(client)
  const reader = readHeads(client)
  // An unsolicited answer has no request in its queue, and would end our process.
  const take = client.pipelinedRequests.terminateRequest.bind(client.pipelinedRequests)
  client.pipelinedRequests.terminateRequest = () => take() ?? { headers: {}, bytes: 0, duration: 0 }
  client.on('request', () => {
    line.watch()
    reader.watch()
  })
  return {
    client,
    /** Sends this next. @param {Item} item */
    ask: (item) => {
      reader.expect(item)
      client.setRequests([toRequest(item)])
    },
    /** How many pieces of data have come over it since it was opened. */
    pieces: line.pieces,
    /** Sends nothing for a moment. @param {() => void} then */
    pause: (then) => {
      brake(client)
      setTimeout(then, pauseMs)
    },
    /** After a pause: sends at once. */
    goOn: () => {
      release(client)
      client._doRequest()
    },
    /** @param {Set<Socket>} [lasting] gets its connection, which stays open */
    end: (lasting) => {
      const { conn } = client
      lasting?.add(conn)
      if (lasting) conn.destroy = () => conn
      client.destroy()
      delete conn.destroy
    },
    /** Sends what it was told to over another connection, which it opens for it. */
    renew: () => {
      brake(client)
      // Not from within its own handlers: they go on using the old connection.
      setImmediate(() => {
        if (client.destroyed) return
        release(client)
        client._resetConnection()
      })
    }
  }
}

/** A client with a rate does not send what is above it. @param {any} client */
function brake (client) {
  client.rate = 1
  client.reqsMadeThisSecond = 1
}

/** @param {any} client */
function release (client) {
  client.rate = undefined
  client.paused = false
}

/** New connections are opened without a word: each is counted from its first piece of data on. @param {any} client */
function watchPieces (client) {
  let line = { socket: /** @type {any} */ (null), pieces: 0 }
  return {
    pieces: () => line.pieces,
    watch: () => {
      if (line.socket === client.conn) return
      const own = line = { socket: client.conn, pieces: 0 }
      // Before autocannon's own listener, which parses.
      own.socket.prependListener('data', () => { own.pieces++ })
    }
  }
}

/**
 * The parser waits for a body that an answer to HEAD never has (RFC 9110, 9.3.2), and without a length for the end of
 * the connection.
 *
 * @param {any} client
 */
function readHeads (client) {
  let isHead = false
  let isWatched = false
  return {
    expect: (/** @type {Item} */ { method }) => { isHead = method === 'HEAD' },
    watch: () => {
      if (isWatched || !isHead) return
      isWatched = true
      const { parser, parser: { constructor: { kOnHeadersComplete: place } } } = client
      const take = parser[place]
      parser[place] = (/** @type {any} */ head) => {
        if (!isHead) return take(head)
        take({ ...head, shouldKeepAlive: head.versionMinor > 0 && !parser.connection.includes('close') })
        return true
      }
    }
  }
}

/** @param {Item} item */
function toRequest ({ method = 'GET', path, headers, json, body }) {
  if (body !== undefined) return { method, path, headers, body }
  if (json !== undefined) {
    return { method, path, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(json) }
  }
  // For a POST without a body, node:http sends a length of 0; autocannon wouldn't.
  const length = ['POST', 'PUT', 'PATCH'].includes(method) ? { 'Content-Length': '0' } : {}
  return { method, path, headers: { ...headers, ...length } }
}
