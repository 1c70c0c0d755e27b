import autocannon from 'autocannon'

/**
 * @import { Problem } from '../judge/index.js'
 * @import { Item } from '../lesson/index.js'
 *
 * @typedef {object} RawAnswer
 * @property {Item} item what was asked
 * @property {number} status
 * @property {string[]} rawHeaders names and values in turn
 * @property {Buffer[]} chunks the body as it came
 * @property {number} sentAt ms
 * @property {number} receivedAt ms
 *
 * @typedef {object} ClosedLoopResult
 * @property {number} startedAt ms, when the first request was sent
 * @property {Problem | null} broken why the slice was given up
 * @property {any} result autocannon's own result, for its own table
 */

/** One answer in so many is followed by a pause on its connection … */
const answersForPause = 256
/** … of so many ms, as is the last one: whoever answers ahead of the requests answers into it. */
const pauseMs = 3

/**
 * A slice of closed-loop load: each connection sends its next request as soon as the last was answered.
 *
 * autocannon sends and parses; what it makes of the answers is not used. Its counts take every answer for a good one, a
 * 103 for an answer and a lost connection for nothing at all, and it reads bodies as text chunk by chunk. So the
 * answers are collected here, byte for byte, and anything that its client would paper over ends the slice.
 *
 * An answer that was sent before its request could arrive would count for the next one: a server whose answers can be
 * foretold could send ten for each request. So an answer must not come in the same piece of data as the one before it, nor
 * while its connection has no request under way. Connections pause at moments that a server cannot foretell.
 *
 * @param {object} options
 * @param {number} options.port on 127.0.0.1
 * @param {number} options.connections
 * @param {() => Item} options.next
 * @param {(answer: RawAnswer) => boolean} options.onAnswer returns false when no further request is to be sent
 * @param {number} [options.exactly] send exactly so many requests
 * @param {number} [options.answerTimeoutMs]
 * @param {number} [options.sampleMs] autocannon's tick: it stops only on ticks, and its table counts answers for each
 * @returns {Promise<ClosedLoopResult>} after the last answer that is under way has arrived
 */
export function runClosedLoop ({ port, connections, next, onAnswer, exactly = Infinity, answerTimeoutMs = 10_000, sampleMs = 5 }) {
  // autocannon takes whole seconds only.
  const timeoutMs = Math.max(1, Math.round(answerTimeoutMs / 1000)) * 1000
  return new Promise((resolve, reject) => {
    /** @type {Set<any>} */
    const clients = new Set()
    let startedAt = 0
    let sent = 0
    // Clients that will send once more after their pause.
    let paused = 0
    let open = true
    /** @type {Problem | null} */
    let broken = null

    const giveUp = (/** @type {Problem['kind']} */ kind, /** @type {string} */ message) => {
      broken ??= { kind, message }
      open = false
      // Not from within autocannon's own handlers: they go on using the client.
      setImmediate(() => clients.forEach((client) => client.destroy()))
    }

    const setupClient = (/** @type {any} */ client) => {
      clients.add(client)
      /** @type {{ item: Item, sentAt: number, pieces: number, chunks: Buffer[], headers: any } | null} */
      let flight = null
      let item = next()
      client.setRequests([toRequest(item)])
      /** The connection, and how many pieces of data have come over it. @type {{ socket: any, pieces: number }} */
      let line = { socket: null, pieces: 0 }
      const watch = () => {
        if (line.socket === client.conn) return
        const own = line = { socket: client.conn, pieces: 0 }
        // Before autocannon's own listener, which parses.
        own.socket.prependListener('data', () => { own.pieces++ })
      }
      // autocannon joins the chunks of a body as text, which breaks characters that two chunks share.
      client.pipelinedRequests.addBody = (/** @type {Buffer} */ chunk) => flight?.chunks.push(chunk)

      client.on('request', () => {
        if (broken || client.destroyed) return
        const sentAt = performance.now()
        // It has opened another connection without a word: it lost patience, or the server closed the old one.
        if (flight) return sentAt - flight.sentAt > timeoutMs - 50 ? giveUp('no answer', `${label(flight.item)}: no answer within ${timeoutMs / 1000} s.`) : giveUp(...lost(flight))
        watch()
        startedAt ||= sentAt
        sent++
        flight = { item, sentAt, pieces: line.pieces, chunks: [], headers: null }
      })
      client.on('headers', (/** @type {any} */ head) => {
        if (broken) return
        if (!flight) return giveUp(...unasked(item))
        // Its request left while this piece of data was being read.
        if (line.pieces === flight.pieces) return giveUp(...unasked(flight.item))
        if (head.statusCode < 200) return giveUp('interim', `${label(flight.item)}: the server sent an interim answer (${head.statusCode}), which a client of this API cannot use.`)
        flight.headers = head
      })
      client.on('response', (/** @type {number} */ status) => {
        if (broken || !flight) return
        const { headers, chunks, sentAt } = flight
        const answer = { item: flight.item, status, rawHeaders: headers?.headers ?? [], chunks, sentAt, receivedAt: performance.now() }
        flight = null
        if (!headers?.shouldKeepAlive) return giveUp('not kept alive', `${label(answer.item)}: the server closes the connection after its answer; the slow server keeps it open.`)
        open = onAnswer(answer) && open
        if (open && sent + paused < exactly - waiting()) {
          item = next()
          client.setRequests([toRequest(item)])
          if (Math.random() * answersForPause < 1) pauseAndGoOn(client)
        } else {
          pause(client, () => client.destroy())
        }
      })
      client.on('connError', (/** @type {NodeJS.ErrnoException} */ error) => {
        if (broken || client.destroyed) return
        if (error.code === 'ECONNREFUSED') return giveUp('refused', 'The server does not accept connections any more.')
        giveUp(...lost(flight))
      })
    }
    // autocannon's own brake: a client with a rate does not send what is above it.
    const pause = (/** @type {any} */ client, /** @type {() => void} */ then) => {
      client.rate = 1
      client.reqsMadeThisSecond = 1
      setTimeout(then, pauseMs)
    }
    const pauseAndGoOn = (/** @type {any} */ client) => {
      paused++
      pause(client, () => {
        paused--
        client.rate = undefined
        client.paused = false
        if (client.destroyed) return
        if (open) client._doRequest()
        else client.destroy()
      })
    }
    // A client that is about to send its first request has not been counted yet.
    const waiting = () => Math.max(0, Math.min(connections, exactly) - clients.size)

    autocannon({
      url: `http://127.0.0.1:${port}`,
      connections: Math.min(connections, exactly),
      pipelining: 1,
      // It stops when its clients have stopped, at its next tick.
      duration: 3600,
      sampleInt: sampleMs,
      timeout: timeoutMs / 1000,
      setupClient
    }, (error, result) => error ? reject(error) : resolve({ startedAt, broken, result }))
  })
}

/** @param {Item} item */
function toRequest ({ method = 'GET', path, headers, json }) {
  return json === undefined
    // node:http says of a POST without a body that it has none; autocannon would not.
    ? { method, path, headers: { ...headers, ...['POST', 'PUT', 'PATCH'].includes(method) ? { 'Content-Length': '0' } : {} } }
    : { method, path, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(json) }
}

/** @param {{ item: Item, headers: any, chunks: Buffer[] } | null} flight @returns {[Problem['kind'], string]} */
function lost (flight) {
  if (!flight) return ['closed', 'The server closed a connection.']
  return flight.headers
    ? ['cut', `${label(flight.item)}: the answer was cut; the connection was closed after ${flight.chunks.reduce((sum, chunk) => sum + chunk.length, 0)} bytes of the body.`]
    : ['closed', `${label(flight.item)}: the server closed the connection without an answer.`]
}

/** @param {Item} item @returns {[Problem['kind'], string]} */
function unasked (item) {
  return ['unasked', `${label(item)}: an answer came before its request could have arrived: answer each request once, and none in advance.`]
}

/** @param {Item} item */
export function label ({ method = 'GET', path }) {
  return `${method} ${path.length > 60 ? `${path.slice(0, 57)}…` : path}`
}
