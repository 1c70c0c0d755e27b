import http from 'node:http'
import { mostBytes } from '../shared/http-fields.js'
import { tooLong } from './closed-loop.js'

/**
 * @import { Socket } from 'node:net'
 * @import { Problem } from '../judge/index.js'
 * @import { Item } from '../lesson/index.js'
 * @import { RawAnswer } from './closed-loop.js'
 */

/**
 * Sends requests at fixed moments, whether or not the earlier ones were answered, each on a connection that is free.
 * No request waits for the answer to another, so a server that stalls cannot hide those that would have come meanwhile
 * (coordinated omission). What the sender itself is late by, on a machine that is full, is no latency of the server's.
 *
 * @param {object} options
 * @param {number} options.port on 127.0.0.1
 * @param {number} options.rate requests/s
 * @param {() => Item} options.next
 * @param {(answer: RawAnswer, latencyMs: number) => void} options.onAnswer
 * @param {number} [options.answerTimeoutMs]
 * @param {boolean} [options.isLimited] time in which the system stopped everything counts neither for the schedule nor
 *   for latencies: createClock
 * @param {number} [options.maxSockets] connections at a time; what comes on top waits, and its latency counts on
 */
export function startOpenLoop ({ port, rate, next, onAnswer, answerTimeoutMs, ...rest }) {
  const { maxSockets = Infinity, isLimited = false } = rest
  const agent = new http.Agent({ keepAlive: true, maxSockets })
  const intervalMs = 1000 / rate
  const { now, stop: stopClock } = createClock({ isLimited })
  const startedAt = now()
  const result = {
    /** Ms from sending a request to its whole answer. @type {number[]} */
    latencies: [],
    /** Ms by which each request left later than it was due: the sender's own fault. @type {number[]} */
    lateness: [],
    /** @type {Problem[]} */
    problems: []
  }
  /** @type {Promise<void>[]} */
  const underway = []
  let sent = 0
  /** @type {NodeJS.Timeout} */
  let timer

  const schedule = () => {
    timer = setTimeout(() => {
      for (let due = dueAt(sent); due <= now(); due = dueAt(sent)) {
        sent++
        result.lateness.push(now() - due)
        underway.push(ask())
      }
      schedule()
    }, Math.max(0, dueAt(sent) - now()))
  }
  const dueAt = (/** @type {number} */ number) => startedAt + number * intervalMs

  const ask = async () => {
    const sentAt = now()
    const onUnasked = (/** @type {Problem} */ problem) => result.problems.push(problem)
    const outcome = await askOnce({ port, agent, item: next(), answerTimeoutMs, onUnasked })
    // A request that never got its answer was at least this slow.
    const latencyMs = now() - sentAt
    result.latencies.push(latencyMs)
    if (outcome.problem === null) onAnswer(outcome.answer, latencyMs)
    else result.problems.push(outcome.problem)
  }

  schedule()
  return {
    /** Sends nothing more and waits for what is in flight. */
    stop: async () => {
      clearTimeout(timer)
      await Promise.all(underway)
      stopClock()
      agent.destroy()
      return result
    }
  }
}

/**
 * All that's known of a connection.
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
      // Bytes that came while nothing was asked would be taken for the answer to this request.
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
    let ownPort = 0
    req.on('response', (res) => {
      ownPort = res.socket.localPort ?? 0
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
        const answer = { item, status, rawHeaders, chunks, port: ownPort, sentAt, receivedAt: performance.now() }
        resolve({ answer, problem: null })
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

const tickMs = 2
/** A gap between two readings that is longer than this was no work of ours. */
const longestGapMs = 20

/**
 * A clock for open loops. Where the system lets us use less CPU time than there are cores (a container's quota), it
 * stops the generator and the servers for most of each tenth of a second. Nothing happens meanwhile, so neither
 * schedules nor latencies count that time.
 *
 * @param {{ isLimited: boolean, read?: () => number }} options isLimited: false for the clock of the system; read: ms
 * @returns {{ now: () => number, stop: () => void }} now: ms
 */
export function createClock ({ isLimited, read = () => performance.now() }) {
  if (!isLimited) return { now: read, stop: () => {} }
  let lastAt = read()
  let stoodMs = 0
  const now = () => {
    const at = read()
    if (at - lastAt > longestGapMs) stoodMs += at - lastAt - tickMs
    lastAt = at
    return at - stoodMs
  }
  const timer = setInterval(now, tickMs)
  return { now, stop: () => clearInterval(timer) }
}
