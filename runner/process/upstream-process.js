import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { importLesson } from '../shared/workshop.js'
import { createRandom } from '../shared/random.js'
import { withinLetter } from '../shared/text.js'
import { serveOrders } from './child.js'
import { listen } from './sockets.js'

/**
 * The process of the upstream: answers as the lesson says, notes every call, and misbehaves where it is told to.
 *
 * @import { Answering, Call, Fault } from './upstream.js'
 *
 * @typedef {{ calls: Call[], faults: Fault[], isSwift: boolean }} Seat
 */

const pieces = 10

/** @type {Answering} */
let answer
/** @type {Map<number, Seat>} */
const seats = new Map()

serveOrders({
  load: async ({ module, data, seed }) => {
    const { default: lesson } = await importLesson(module)
    answer = lesson.upstream({ random: createRandom(`${seed}/upstream`), data })
  },
  open,
  calls: ({ port }) => seats.get(port)?.calls,
  count: ({ port }) => seats.get(port)?.calls.length,
  reset: ({ port, faults }) => {
    const seat = seats.get(port)
    if (seat) Object.assign(seat, { calls: [], faults })
  }
})

/** @param {{ isSwift?: boolean }} order @returns {Promise<number>} the port of one more seat */
async function open ({ isSwift = false }) {
  /** @type {Seat} */
  const seat = { calls: [], faults: [], isSwift }
  const server = http.createServer((req, res) => serve(seat, req, res))
  // A server that keeps its connections for long should not be surprised by ours.
  server.keepAliveTimeout = 60_000
  const port = await listen(server)
  seats.set(port, seat)
  return port
}

/** @param {Seat} seat @param {http.IncomingMessage} req @param {http.ServerResponse} res */
async function serve (seat, req, res) {
  const { method = 'GET', url = '/' } = req
  /** @type {Call} */
  const call = { method, path: url, startMs: performance.now(), endMs: null, status: 0 }
  seat.calls.push(call)
  res.on('finish', () => Object.assign(call, { endMs: performance.now(), status: res.statusCode }))
  const chunks = []
  for await (const chunk of req) chunks.push(chunk)
  const fault = seat.faults.find(({ path }) => url.startsWith(path))
  if (fault?.hang) return
  if (fault?.reset && !fault.trickleMs) return req.socket.destroy()
  const {
    status = 200,
    headers = {},
    json,
    body,
    delayMs = 0
  } = answer({ method, path: url, headers: req.headers, body: Buffer.concat(chunks) })
  await sleep((seat.isSwift ? 0 : delayMs) + (fault?.delayMs ?? 0))
  if (fault?.status !== undefined) {
    return res.writeHead(fault.status, { 'Content-Type': 'application/json' }).end('{"error":"upstream"}')
  }
  const payload = json === undefined ? Buffer.from(body ?? '') : Buffer.from(JSON.stringify(json))
  res.writeHead(status, {
    ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    'Content-Length': payload.length,
    ...headers
  })
  if (fault?.trickleMs) return trickle(res, payload, fault)
  res.end(payload)
}

/**
 * One of the pieces ends within a letter, where one takes more than a byte. A connection that's cut is cut half-way.
 *
 * @param {http.ServerResponse} res @param {Buffer} payload @param {Fault} fault
 */
async function trickle (res, payload, { trickleMs: ms = 0, reset = false }) {
  const size = Math.ceil(payload.length / pieces)
  const within = withinLetter(payload)
  for (let at = 0, end = 0; at < payload.length && !res.destroyed; at = end) {
    if (reset && at >= payload.length / 2) return res.destroy()
    end = at < within && within < at + size ? within : at + size
    res.write(payload.subarray(at, end))
    await sleep(ms / pieces)
  }
  res.end()
}
