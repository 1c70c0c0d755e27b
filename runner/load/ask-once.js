import http from 'node:http'

/**
 * @import { Item } from '../lesson/index.js'
 * @import { Problem } from '../judge/index.js'
 * @import { RawAnswer } from './closed-loop.js'
 */

/**
 * How many bytes had come over a connection when its last answer was complete.
 *
 * @type {WeakMap<import('node:net').Socket, number>}
 */
const readOf = new WeakMap()

/**
 * One request on a connection of the agent, and its whole answer. Never rejects.
 *
 * @param {object} options
 * @param {number} options.port on 127.0.0.1
 * @param {http.Agent} options.agent
 * @param {Item} options.item
 * @param {number} [options.answerTimeoutMs]
 * @returns {Promise<{ answer: RawAnswer, problem: null } | { answer: null, problem: Problem }>}
 */
export function askOnce ({ port, agent, item, answerTimeoutMs = 10_000 }) {
  const { method = 'GET', path, headers, json } = item
  const body = json === undefined ? undefined : JSON.stringify(json)
  // In the order of the closed loop's and the contract's: nobody can tell from whom a request is.
  const ordered = {
    Host: `127.0.0.1:${port}`,
    Connection: 'keep-alive',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...headers,
    ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) })
  }
  return new Promise((resolve) => {
    const sentAt = performance.now()
    const fail = (/** @type {Problem['kind']} */ kind, /** @type {string} */ message) => {
      clearTimeout(limit)
      req.destroy()
      // Only the first one counts: a promise is settled once.
      resolve({ answer: null, problem: { kind, message: `${method} ${path}: ${message}` } })
    }
    const limit = setTimeout(() => fail('no answer', `no answer within ${answerTimeoutMs / 1000} s.`), answerTimeoutMs)
    const req = http.request({ host: '127.0.0.1', port, method, path, headers: ordered, agent })
    req.on('socket', (socket) => {
      // What came while nothing was asked would be taken for the answer to this request.
      if (socket.bytesRead > (readOf.get(socket) ?? 0)) {
        fail('unasked', 'an answer came before its request: answer each request once, and none in advance.')
      }
    })
    req.on('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      fail(
        error.code === 'ECONNREFUSED' ? 'refused' : 'closed',
        `the connection was lost (${error.code ?? error.message}).`
      )
    )
    req.on('response', (res) => {
      /** @type {Buffer[]} */
      const chunks = []
      res.on('data', (chunk) => chunks.push(chunk))
      res.on('aborted', () => fail('cut', 'the answer was cut.'))
      res.on('end', () => {
        if (!res.complete) return
        clearTimeout(limit)
        if (req.socket) readOf.set(req.socket, req.socket.bytesRead)
        resolve({
          answer: {
            item,
            status: res.statusCode ?? 0,
            rawHeaders: res.rawHeaders,
            chunks,
            sentAt,
            receivedAt: performance.now()
          },
          problem: null
        })
      })
    })
    req.end(body)
  })
}
