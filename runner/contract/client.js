import { setMaxListeners } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { patienceNow } from '../process/index.js'
import { joinHeaders, mostBytes } from '../shared/http-fields.js'
import { WorkshopError } from '../shared/errors.js'
import { withinLetter } from '../shared/text.js'
import { Answer, codingOf, ContractError, LateError, unzip } from './answer.js'

/**
 * @import { Patient } from '../process/index.js'
 *
 * @typedef {object} Request
 * @property {string} [method] default GET
 * @property {string} path
 * @property {Record<string, string | undefined>} [headers] one without a value is not sent
 * @property {unknown} [json] sent as application/json
 * @property {string | Uint8Array} [body]
 * @property {boolean} [chunked] send the body without its length, and in parts
 * @property {boolean} [spaced] `json` with blanks and line breaks around and within
 * @property {() => Promise<unknown>} [between] with `chunked`: is done when the rest of the body may be sent
 * @property {() => Promise<unknown>} [meanwhile] is done when the answer has begun, before more of it is read
 * @property {http.Agent} [agent] keeps the connection; default: a new connection
 * @property {number} [leaveMs] so long after it has sent the request, the client leaves, unless it has its answer; with
 *   `chunked`: so long after the first part of the body
 * @property {string} [accepts] the Accept-Encoding of a client that decodes its answer, unless `headers` have one
 */

/** How long an answer may take where nothing else is being done. */
const usualMs = 5000
/** Characters that no path of a request can hold. */
const unescaped = /[^\x21-\xff]/
const wrongEncoding = 'its body is not compressed as its Content-Encoding says, or is longer than 64 MB'
/** Between two parts of a body. */
const partsMs = 8
const shortly = () => sleep(partsMs)
/** Who refuses a long one may hang up before it has come. */
const mostInParts = 4096

/**
 * How long an answer of a server may take.
 *
 * @param {Patient} server
 * @param {{ factor?: number, signal?: AbortSignal }} [options] factor: so many times as long as usual
 * @returns {NonNullable<Parameters<typeof send>[2]>} for `send`
 */
export function timeFor (server, { factor = 1, signal } = {}) {
  const { patience = 1 } = server
  // Each request in flight listens for the end of the check.
  if (signal) setMaxListeners(0, signal)
  return {
    timeoutMs: factor * patience * usualMs,
    allowedMs: async () => factor * await patienceNow(server) * usualMs,
    signal
  }
}

/**
 * The same, but over at once when a check is stopped: what a server never answers would go on for a while.
 *
 * @template T
 * @param {Promise<T>} promise @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
export function untilAborted (promise, signal) {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/**
 * Sends one request on a new connection and reads the whole answer. The request looks, on the wire, like those
 * of the load, so that a server cannot tell the one from the other.
 *
 * @param {string} origin `http://127.0.0.1:PORT`
 * @param {Request} request
 * @param {{ timeoutMs?: number, allowedMs?: () => Promise<number>, signal?: AbortSignal }} [options] timeoutMs: after
 *   this long, allowedMs says how long it may take altogether
 * @returns {Promise<Answer>}
 * @throws {LateError} no answer in time
 * @throws {ContractError} connection closed, body cut or too long, interim answers
 */
export function send (origin, request, { timeoutMs = usualMs, allowedMs, signal } = {}) {
  const { method = 'GET', path, meanwhile, agent, leaveMs, between = shortly } = request
  const label = `${method} ${path.length > 80 ? `${path.slice(0, 77)}…` : path}`
  const { options, body } = optionsOf(origin, request)
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    let interim = 0
    let bytes = 0
    const onAbort = () => end(signal?.reason)
    const limit = startLimit({ timeoutMs, allowedMs }, (said) => end(new LateError(`${label}: ${bytes > 0
      ? `the answer was not complete after ${said}`
      : `no answer within ${said}`}`)))
    const end = (/** @type {unknown} */ error) => {
      limit.clear()
      signal?.removeEventListener('abort', onAbort)
      req.destroy()
      reject(error)
    }
    const fail = (/** @type {string} */ message) => end(new ContractError(`${label}: ${message}`))
    const req = openRequest(options, agent)
    req.on('information', () => { interim++ })
    req.on('error', (error) => fail(explain(error)))
    const leave = leaveMs === undefined ? null : () => setTimeout(() => fail('the client has left'), leaveMs)
    if (leave) req.on('finish', leave)
    if (signal?.aborted) return onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    req.on('response', (res) => {
      /** @type {Buffer[]} */
      const chunks = []
      const read = () => res.on('data', (chunk) => {
        bytes += chunk.length
        if (bytes > mostBytes) fail('the answer is longer than 64 MB')
        else chunks.push(chunk)
      })
      if (meanwhile) meanwhile().then(read, end)
      else read()
      const { 'content-length': length } = res.headers
      res.on('aborted', () => fail(`the answer was cut after ${bytes} bytes${length ? ` of ${length}` : ''}`))
      res.on('error', (error) => fail(explain(error)))
      res.on('end', () => {
        if (!res.complete) return fail(`the answer was cut after ${bytes} bytes`)
        if (interim > 0) {
          return fail(`it sent ${interim} interim answer${interim > 1 ? 's' : ''} (1xx) before the answer; a client ` +
            'cannot use them here')
        }
        limit.clear()
        signal?.removeEventListener('abort', onAbort)
        if (!agent) req.socket?.destroy()
        const { statusCode: status = 0, rawHeaders } = res
        const elapsedMs = performance.now() - startedAt
        const sent = { rawHeaders, body: Buffer.concat(chunks) }
        const plain = decodes(request) ? unzip(sent) : sent
        if (plain === undefined) return fail(wrongEncoding)
        resolve(new Answer({ label, status, elapsedMs, coding: codingOf(rawHeaders), ...plain }))
      })
    })
    if (body !== undefined && isInParts(request)) sendInParts(req, Buffer.from(body), { leave, between, end })
    else req.end(body)
  })
}

/**
 * Sends requests without a body in one go, on one connection (RFC 9112, 9.3.2).
 *
 * @param {string} origin @param {readonly Request[]} requests @param {number} timeoutMs
 * @returns {Promise<Answer[]>} as many as have come until the server, or the last request, closed the connection; the
 *   time of each is that of all
 * @throws {LateError}
 */
export async function sendInOneGo (origin, requests, timeoutMs) {
  const { hostname, port } = new URL(origin)
  const startedAt = performance.now()
  const socket = net.connect(Number(port), hostname)
  /** @type {Buffer[]} */
  const chunks = []
  const over = new Promise((resolve) => {
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => {}).on('close', () => resolve(true))
  })
  socket.write(requests.map((request, at) => {
    const { options: { method, path, headers } } = optionsOf(origin, request)
    if (at === requests.length - 1) headers.Connection = 'close'
    const fields = Object.entries(headers).map((pair) => pair.join(': '))
    return [`${method} ${path} HTTP/1.1`, ...fields, '', ''].join('\r\n')
  }).join(''), 'latin1')
  const inTime = await Promise.race([over, sleep(timeoutMs, false, { ref: false })])
  socket.destroy()
  if (!inTime) throw new LateError(`${requests.length} requests in one go: no end of the answers`)
  const elapsedMs = performance.now() - startedAt
  /** @type {Answer[]} */
  const answers = []
  /** @type {Buffer} */
  let rest = Buffer.concat(chunks)
  while (answers.length < requests.length) {
    const { method = 'GET', path } = requests[answers.length]
    const read = readFirst(rest, method)
    if (read === null) break
    answers.push(new Answer({ ...read.answer, label: `${method} ${path}`, elapsedMs }))
    rest = read.rest
  }
  return answers
}

/**
 * The first of several answers (RFC 9112, 6.3). Pure.
 *
 * @param {Buffer} bytes @param {string} method that was asked with
 * @returns {{ answer: { status: number, rawHeaders: string[], body: Buffer }, rest: Buffer } | null} null: not whole
 */
function readFirst (bytes, method) {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return null
  const [first, ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const rawHeaders = lines.flatMap((line) => [line.split(':', 1)[0], line.slice(line.indexOf(':') + 1).trim()])
  const { 'content-length': length, 'transfer-encoding': coding } = joinHeaders(rawHeaders)
  const status = Number(first.split(' ')[1])
  const rest = bytes.subarray(end + 4)
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  const read = hasBody && coding !== undefined ? readChunks(rest) : cut(rest, hasBody ? Number(length) : 0)
  return read && { answer: { status, rawHeaders, body: read.body }, rest: read.rest }
}

/** @param {Buffer} bytes a body in chunks, without trailers, and more (RFC 9112, 7.1) */
function readChunks (bytes) {
  /** @type {Buffer[]} */
  const chunks = []
  for (let rest = bytes; ;) {
    const start = rest.indexOf('\r\n') + 2
    const size = Number.parseInt(rest.toString('latin1', 0, start), 16)
    const chunk = cut(rest.subarray(start), size + 2)
    if (chunk === null) return null
    chunks.push(chunk.body.subarray(0, size))
    rest = chunk.rest
    if (size === 0) return { body: Buffer.concat(chunks), rest }
  }
}

/** @param {Buffer} bytes @param {number} count @returns {{ body: Buffer, rest: Buffer } | null} null: they're fewer */
function cut (bytes, count) {
  return bytes.length >= count ? { body: bytes.subarray(0, count), rest: bytes.subarray(count) } : null
}

/**
 * @param {{ timeoutMs: number, allowedMs?: () => Promise<number> }} times
 * @param {(said: string) => void} onOver said: how long it was, `5 s`
 */
function startLimit ({ timeoutMs, allowedMs }, onOver) {
  let isCleared = false
  const wait = (/** @type {number} */ ms, /** @type {number} */ limitMs) => setTimeout(async () => {
    const allowed = await allowedMs?.() ?? limitMs
    if (isCleared) return
    if (allowed > limitMs) timer = wait(allowed - limitMs, allowed)
    else onOver(`${Number((limitMs / 1000).toPrecision(2))} s`)
  }, ms)
  let timer = wait(timeoutMs, timeoutMs)
  return {
    clear: () => {
      isCleared = true
      clearTimeout(timer)
    }
  }
}

/**
 * As a slow client sends it: in two parts, and within a letter where one takes more than a byte.
 *
 * @param {http.ClientRequest} req @param {Buffer} body
 * @param {object} then
 * @param {(() => unknown) | null} then.leave after the first part
 * @param {() => Promise<unknown>} then.between
 * @param {(error: unknown) => void} then.end without the second part
 */
function sendInParts (req, body, { leave, between, end }) {
  const within = withinLetter(body)
  const at = within === -1 ? body.length >> 1 : within
  req.write(body.subarray(0, at))
  if (leave) leave()
  else between().then(() => req.end(body.subarray(at)), end)
}

/** @param {Request} request */
function decodes ({ accepts, headers = {} }) {
  return accepts !== undefined && !Object.keys(headers).some((name) => name.toLowerCase() === 'accept-encoding')
}

/** What is sent. @param {Request} request */
export function bodyOf ({ json, body, spaced = false }) {
  if (json === undefined) return body
  return spaced ? ` ${JSON.stringify(json, null, 1)}\n` : JSON.stringify(json)
}

/** Is the body sent in parts? @param {Request} request */
export function isInParts ({ chunked = false, between, ...request }) {
  const { length = 0 } = bodyOf(request) ?? {}
  return chunked && length > 0 && (between !== undefined || length < mostInParts)
}

/** @param {string} origin @param {Request} request */
function optionsOf (origin, request) {
  const { method = 'GET', path, json, headers: more, chunked = false } = request
  if (unescaped.test(path)) {
    const shown = JSON.stringify(path)
    throw new WorkshopError(`The lesson requests the path ${shown}: encode it, as encodeURIComponent does.`)
  }
  const body = bodyOf(request)
  const url = new URL(origin)
  /** @type {Record<string, string | undefined>} */
  const all = {
    Host: url.host,
    Connection: 'keep-alive',
    ...(decodes(request) ? { 'Accept-Encoding': request.accepts } : {}),
    // Some clients add a charset, which means nothing here (RFC 8259, section 11).
    ...(json === undefined ? {} : { 'Content-Type': `application/json${chunked ? '; charset=utf-8' : ''}` }),
    ...more
  }
  const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  if (body !== undefined) {
    if (chunked) headers['Transfer-Encoding'] = 'chunked'
    else headers['Content-Length'] = String(Buffer.byteLength(body))
  }
  return { options: { host: url.hostname, port: url.port, method, path, headers }, body }
}

/**
 * On a new connection without an agent: one for each request would cost as much as the request.
 *
 * @param {ReturnType<typeof optionsOf>['options']} options @param {http.Agent} [agent]
 */
function openRequest (options, agent) {
  const { host, port } = options
  const createConnection = () => net.connect({ host, port: Number(port), noDelay: true })
  return http.request({ ...options, ...agent ? { agent } : { createConnection }, insecureHTTPParser: false })
}

/** @param {NodeJS.ErrnoException} error */
function explain (error) {
  if (error.code === 'ECONNREFUSED') return 'the server isn’t listening any more'
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE') {
    return 'the server closed the connection without a complete answer'
  }
  if (error.code?.startsWith('HPE_')) return `the answer is not valid HTTP (${error.message})`
  return error.message
}
