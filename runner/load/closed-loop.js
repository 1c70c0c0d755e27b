import autocannon from 'autocannon'

/**
 * @typedef {import('../catalogue/lesson.js').Item} Item
 *
 * @typedef {object} RawAnswer
 * @property {Item} item what was asked
 * @property {number} status
 * @property {string[]} rawHeaders names and values in turn
 * @property {Buffer[]} chunks the body as it came
 * @property {number} sentAt ms
 * @property {number} receivedAt ms
 *
 * @typedef {object} Problem
 * @property {'interim' | 'closed' | 'cut' | 'not kept alive' | 'no answer' | 'refused' | 'status' | 'mismatch'} kind
 * @property {string} message one sentence
 *
 * @typedef {object} ClosedLoopResult
 * @property {number} startedAt ms, when the first request was sent
 * @property {Problem | null} broken why the slice was given up
 * @property {any} result autocannon's own result, for its own table
 */

/**
 * A slice of closed-loop load: each connection sends its next request as soon as the last was answered.
 *
 * autocannon sends and parses; what it makes of the answers is not used. Its counts take every answer for a good one, a
 * 103 for an answer and a lost connection for nothing at all, and it reads bodies as text chunk by chunk. So the
 * answers are collected here, byte for byte, and anything that its client would paper over ends the slice.
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
      /** @type {{ item: Item, sentAt: number, chunks: Buffer[], headers: any } | null} */
      let flight = null
      let item = next()
      client.setRequests([toRequest(item)])
      // autocannon joins the chunks of a body as text, which breaks characters that two chunks share.
      client.pipelinedRequests.addBody = (/** @type {Buffer} */ chunk) => flight?.chunks.push(chunk)

      client.on('request', () => {
        if (broken || client.destroyed) return
        const sentAt = performance.now()
        // It has opened another connection without a word: it lost patience, or the server closed the old one.
        if (flight) return sentAt - flight.sentAt > timeoutMs - 50 ? giveUp('no answer', `${label(flight.item)}: no answer within ${timeoutMs / 1000} s.`) : giveUp(...lost(flight))
        startedAt ||= sentAt
        sent++
        flight = { item, sentAt, chunks: [], headers: null }
      })
      client.on('headers', (/** @type {any} */ head) => {
        if (broken || !flight) return
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
        if (open && sent < exactly - waiting()) {
          item = next()
          client.setRequests([toRequest(item)])
        } else {
          // What autocannon itself does when a client has sent all that it may.
          client.responseMax = client.reqsMade
        }
      })
      client.on('connError', (/** @type {NodeJS.ErrnoException} */ error) => {
        if (broken || client.destroyed) return
        if (error.code === 'ECONNREFUSED') return giveUp('refused', 'The server does not accept connections any more.')
        giveUp(...lost(flight))
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
    ? { method, path, headers: { ...headers } }
    : { method, path, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(json) }
}

/** @param {{ item: Item, headers: any, chunks: Buffer[] } | null} flight @returns {[Problem['kind'], string]} */
function lost (flight) {
  if (!flight) return ['closed', 'The server closed a connection.']
  return flight.headers
    ? ['cut', `${label(flight.item)}: the answer was cut; the connection was closed after ${flight.chunks.reduce((sum, chunk) => sum + chunk.length, 0)} bytes of the body.`]
    : ['closed', `${label(flight.item)}: the server closed the connection without an answer.`]
}

/** @param {Item} item */
export function label ({ method = 'GET', path }) {
  return `${method} ${path.length > 60 ? `${path.slice(0, 57)}…` : path}`
}
