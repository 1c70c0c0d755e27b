import http from 'node:http'
import { mostBytes } from '../decoders.js'
import { tooLong } from './closed-loop.js'

/**
 * @import { Socket } from 'node:net'
 * @import { Item } from '../lesson/index.js'
 * @import { Problem } from '../judge/index.js'
 * @import { RawAnswer } from './closed-loop.js'
 */

/**
 * What is known of a connection.
 *
 * @type {WeakMap<Socket, { read: number, isBusy: boolean, onUnasked: () => void }>} read: how many bytes had come when
 *   its last answer was complete
 */
const lines = new WeakMap()
const unasked = 'an answer came before its request: answer each request once, and none in advance.'

/**
 * One request on a connection of the agent, and its whole answer. Never rejects.
 *
 * @param {object} options
 * @param {number} options.port on 127.0.0.1
 * @param {http.Agent} options.agent
 * @param {Item} options.item
 * @param {number} [options.answerTimeoutMs]
 * @param {(problem: Problem) => void} [options.onUnasked] an answer came while nothing was asked, and the agent has
 *   closed its connection without a word: newer Node.js does
 * @returns {Promise<{ answer: RawAnswer, problem: null } | { answer: null, problem: Problem }>}
 */
export function askOnce ({ port, agent, item, answerTimeoutMs = 10_000, onUnasked = () => {} }) {
  const { method = 'GET', path, headers, json } = item
  const body = json === undefined ? item.body : JSON.stringify(json)
  // In the order of the closed loop's and the contract's: a server cannot tell them apart.
  const ordered = {
    Host: `127.0.0.1:${port}`,
    Connection: 'keep-alive',
    ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
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
      const line = lineOf(socket)
      line.onUnasked = () => onUnasked({ kind: 'unasked', message: `${method} ${path}: ${unasked}` })
      if (socket.bytesRead > line.read) fail('unasked', unasked)
      line.isBusy = true
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
      let bytes = 0
      res.on('data', (chunk) => {
        bytes += chunk.length
        if (bytes > mostBytes) fail('cut', tooLong)
        else chunks.push(chunk)
      })
      res.on('aborted', () => fail('cut', 'the answer was cut.'))
      res.on('end', () => {
        if (!res.complete) return
        clearTimeout(limit)
        if (req.socket) Object.assign(lineOf(req.socket), { read: req.socket.bytesRead, isBusy: false })
        const { statusCode: status = 0, rawHeaders } = res
        resolve({ answer: { item, status, rawHeaders, chunks, sentAt, receivedAt: performance.now() }, problem: null })
      })
    })
    req.end(body)
  })
}

/** @param {Socket} socket */
function lineOf (socket) {
  const known = lines.get(socket)
  if (known) return known
  const line = { read: 0, isBusy: false, onUnasked: () => {} }
  lines.set(socket, line)
  socket.once('close', () => { if (!line.isBusy && socket.bytesRead > line.read) line.onUnasked() })
  return line
}
