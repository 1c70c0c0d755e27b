import autocannon from 'autocannon'

/**
 * The only file that touches the inside of autocannon, which sends and parses for us. `test/load/traps.test.js` holds
 * what is relied on here; a new version of the package has to pass it.
 *
 * @import { Item } from '../lesson/index.js'
 *
 * @typedef {object} Connection one of autocannon's clients
 * @property {(item: Item) => void} ask what it sends next
 * @property {() => number} pieces how many pieces of data have come over it since it was opened
 * @property {(then: () => void) => void} pause sends nothing for a moment
 * @property {() => void} goOn after a pause: sends at once
 * @property {() => void} renew sends what it was told to over another connection, which it opens for it
 * @property {() => void} destroy
 * @property {() => boolean} isDestroyed
 *
 * @typedef {object} Handlers
 * @property {() => void} onRequest a request leaves
 * @property {(head: { statusCode: number, headers: string[], shouldKeepAlive: boolean }) => void} onHeaders
 * @property {(chunk: Buffer) => void} onChunk a part of a body
 * @property {(status: number) => void} onAnswer an answer is complete
 * @property {(error: NodeJS.ErrnoException) => void} onError
 *
 * @typedef {object} AutocannonOptions
 * @property {number} port on 127.0.0.1
 * @property {number} connections
 * @property {number} timeoutMs whole seconds
 * @property {number} sampleMs its tick: it stops only on ticks, and its table counts answers for each
 * @property {(connection: Connection) => Handlers} onConnection called for each connection before it sends
 */

/** How long a pause is, ms. */
const pauseMs = 3

/**
 * Sends until every connection was destroyed.
 *
 * @param {AutocannonOptions} options
 * @returns {Promise<any>} autocannon's own result, for its own table
 */
export function runAutocannon ({ port, connections, timeoutMs, sampleMs, onConnection }) {
  return new Promise((resolve, reject) => {
    const options = {
      url: `http://127.0.0.1:${port}`,
      connections,
      pipelining: 1,
      // It stops when its clients have stopped, at its next tick.
      duration: 3600,
      sampleInt: sampleMs,
      timeout: timeoutMs / 1000,
      setupClient: (/** @type {any} */ client) => adapt(client, onConnection)
    }
    autocannon(options, (error, result) => error ? reject(error) : resolve(result))
  })
}

/** @param {any} client @param {AutocannonOptions['onConnection']} onConnection */
function adapt (client, onConnection) {
  const line = watchPieces(client)
  const reader = readHeads(client)
  const { onRequest, onHeaders, onChunk, onAnswer, onError } = onConnection({
    ask: (item) => {
      reader.expect(item)
      client.setRequests([toRequest(item)])
    },
    pieces: line.pieces,
    pause: (then) => {
      brake(client)
      setTimeout(then, pauseMs)
    },
    goOn: () => {
      release(client)
      client._doRequest()
    },
    renew: () => {
      brake(client)
      // Not from within its own handlers: they go on using the old connection.
      setImmediate(() => {
        if (client.destroyed) return
        release(client)
        client._resetConnection()
      })
    },
    destroy: () => client.destroy(),
    isDestroyed: () => client.destroyed
  })
  // It joins the chunks of a body as text, which breaks characters that two chunks share.
  client.pipelinedRequests.addBody = onChunk
  // An unsolicited answer has no request in its queue, and would end our process.
  const take = client.pipelinedRequests.terminateRequest.bind(client.pipelinedRequests)
  client.pipelinedRequests.terminateRequest = () => take() ?? { headers: {}, bytes: 0, duration: 0 }
  client.on('request', () => {
    line.watch()
    reader.watch()
    onRequest()
  })
  client.on('headers', onHeaders)
  client.on('response', onAnswer)
  client.on('connError', (/** @type {NodeJS.ErrnoException} */ error) => onError(error))
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

/** It opens new connections without a word: each is counted from its own first piece of data on. @param {any} client */
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
