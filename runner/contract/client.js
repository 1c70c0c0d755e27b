import { setMaxListeners } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { patienceNow } from '../process/index.js'
import { cookiesOf, decoders, joinHeaders, mostBytes, plainText } from '../shared/http-fields.js'
import { WorkshopError } from '../shared/errors.js'
import { isObject, shortJson } from '../shared/rules.js'
import { withinLetter } from '../shared/text.js'

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
  const { method = 'GET', path, meanwhile, agent = false, leaveMs, between = shortly } = request
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
    const req = http.request({ ...options, agent, insecureHTTPParser: false })
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
  }).join(''))
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

/** @param {NodeJS.ErrnoException} error */
function explain (error) {
  if (error.code === 'ECONNREFUSED') return 'the server isn’t listening any more'
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE') {
    return 'the server closed the connection without a complete answer'
  }
  if (error.code?.startsWith('HPE_')) return `the answer is not valid HTTP (${error.message})`
  return error.message
}

/**
 * An answer as it is without compression. Pure.
 *
 * @param {{ rawHeaders: string[], body: Buffer }} answer
 * @returns {{ rawHeaders: string[], body: Buffer } | undefined} undefined: it is not compressed as it
 *   says, or is too long
 */
export function unzip ({ rawHeaders, body }) {
  const encoding = codingOf(rawHeaders)
  if (encoding === 'identity') return { rawHeaders, body }
  try {
    const plain = body.length === 0 ? body : decoders[encoding](body)
    return { rawHeaders: plainHeaders(rawHeaders, plain.length), body: plain }
  } catch {
    return undefined
  }
}

/** As it is on the wire. @param {string[]} rawHeaders @returns {string} in lower case */
function codingOf (rawHeaders) {
  return joinHeaders(rawHeaders)['content-encoding']?.toLowerCase() ?? 'identity'
}

/** @param {string[]} rawHeaders names and values in turn @param {number} length of the body, for who had one */
function plainHeaders (rawHeaders, length) {
  const names = rawHeaders.map((_, at) => rawHeaders[at - at % 2].toLowerCase())
  return rawHeaders
    .map((text, at) => at % 2 === 1 && names[at] === 'content-length' ? String(length) : text)
    .filter((_, at) => names[at] !== 'content-encoding')
}

/** The server broke its contract. The message is for the learner. */
export class ContractError extends Error {}

/** It was too late, which says nothing as long as nobody knows why: it's settled by `settleLate`. */
export class LateError extends ContractError {}

/**
 * One complete answer, with assertions that can be chained. A failed assertion throws a ContractError that names the
 * request.
 */
export class Answer {
  #label

  /**
   * @param {{ label: string, status: number, rawHeaders: string[], body: Buffer, elapsedMs: number, coding?: string
   *   }} parts coding: of the content on the wire, which may have been decoded since
   */
  constructor ({ label, status, rawHeaders, body, elapsedMs, coding = codingOf(rawHeaders) }) {
    this.#label = label
    this.status = status
    /** Names in lower case; repeated ones joined by `, `. */
    this.headers = joinHeaders(rawHeaders)
    this.cookies = cookiesOf(rawHeaders)
    this.body = body
    this.elapsedMs = elapsedMs
    this.coding = coding
  }

  get text () {
    return plainText(this.body)
  }

  /** @param {string} message @returns {never} */
  fail (message) {
    throw new ContractError(`${this.#label}: ${message}`)
  }

  /** @param {number} status */
  expectStatus (status) {
    if (this.status !== status) this.fail(`expected status ${status}, got ${this.status}`)
    return this
  }

  /** @param {string} name @param {string | RegExp} [expected] without it the header has to be there */
  expectHeader (name, expected) {
    const value = this.headers[name.toLowerCase()]
    if (value === undefined) this.fail(`the header ${name} is missing`)
    if (typeof expected === 'string' && value !== expected) {
      this.fail(`expected ${name}: ${expected}, got ${brief(value)}`)
    }
    if (expected instanceof RegExp && !expected.test(value)) {
      this.fail(`the header ${name} is ${brief(value)}, which does not fit ${expected}`)
    }
    return this
  }

  /** @param {string} name */
  expectNoHeader (name) {
    if (this.headers[name.toLowerCase()] !== undefined) this.fail(`the header ${name} should not be there`)
    return this
  }

  /** @param {string} type without parameters, as `application/json` */
  expectType (type) {
    const got = (this.headers['content-type'] ?? '').split(';')[0].trim().toLowerCase()
    if (got !== type) this.fail(`expected Content-Type ${type}, got ${got || 'none'}`)
    return this
  }

  /** The parsed body. @returns {any} */
  json () {
    try {
      return JSON.parse(this.text)
    } catch {
      this.fail(`the body is not valid JSON: ${brief(this.text)}`)
    }
  }

  /** @param {unknown} expected compared by value, whatever the order of the keys */
  expectJson (expected) {
    const got = this.json()
    if (!isDeepStrictEqual(got, JSON.parse(JSON.stringify(expected)))) {
      this.fail(`expected ${brief(JSON.stringify(expected))}, got ${brief(JSON.stringify(got))}`)
    }
    return this
  }

  /**
   * @param {Shape} shape `{ id: 'number', tags: ['string'], token: /^ey/, year: (v) => v > 1900 }`
   * @param {{ extra?: boolean }} [options] extra: other keys are allowed too
   */
  expectShape (shape, options) {
    const wrong = shapeError(this.json(), shape, options)
    if (wrong) this.fail(wrong)
    return this
  }

  /** @param {string} name */
  cookie (name) {
    const cookie = this.cookies.find((candidate) => candidate.name === name)
    return cookie ?? this.fail(`the cookie ${name} is not set`)
  }

  /**
   * @param {string} name @param {{ httpOnly?: boolean, secure?: boolean, path?: string, sameSite?: string }} [flags]
   */
  expectCookie (name, flags = {}) {
    const cookie = this.cookie(name)
    for (const [flag, wanted] of Object.entries(flags)) {
      const got = cookie.attributes[flag.toLowerCase()]
      if (wanted === true && got === undefined) this.fail(`the cookie ${name} is not ${flag}`)
      if (typeof wanted === 'string' && got !== wanted) {
        this.fail(`the cookie ${name} should have ${flag}=${wanted}, got ${got ?? 'none'}`)
      }
    }
    return cookie
  }
}

/** @param {string} text */
function brief (text) {
  return text.length > 100 ? `${text.slice(0, 97)}…` : text
}

/**
 * The expected shape of a value: a type's name, a pattern, a test, a list of one shape, an object of shapes.
 *
 * @typedef {'string' | 'number' | 'boolean' | 'any' | RegExp | ((value: any) => boolean) | [any] | { [key: string]: any
 *   }} Shape
 */

/**
 * How a value misses a shape, as a sentence; undefined when it fits.
 *
 * @param {any} value
 * @param {Shape} shape
 * @param {{ extra?: boolean }} [options] extra: objects may have more keys
 * @param {string} [place] where in the body
 * @returns {string | undefined}
 */
export function shapeError (value, shape, options = {}, place = 'the body') {
  if (shape === 'any') return value === undefined ? `${place} is missing` : undefined
  if (typeof shape === 'string') {
    // eslint-disable-next-line valid-typeof
    return typeof value === shape ? undefined : `${place} should be a ${shape}, got ${shortJson(value)}`
  }
  if (shape instanceof RegExp) {
    return typeof value === 'string' && shape.test(value)
      ? undefined
      : `${place} should fit ${shape}, got ${shortJson(value)}`
  }
  if (typeof shape === 'function') {
    return shape(value) ? undefined : `${place} is not as it should be: ${shortJson(value)}`
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return `${place} should be a list, got ${shortJson(value)}`
    return firstShapeError(value.map((item, i) => () => shapeError(item, shape[0], options, `${place}[${i}]`)))
  }
  if (!isObject(value)) return `${place} should be an object, got ${shortJson(value)}`
  const missing = Object.keys(shape).find((key) => !Object.hasOwn(value, key))
  if (missing !== undefined) return `${place} has no ${missing}`
  const surplus = Object.keys(value).find((key) => !Object.hasOwn(shape, key))
  if (surplus !== undefined && !options.extra) return `${place} has ${surplus}, which should not be there`
  return firstShapeError(
    Object.keys(shape).map(
      (key) => () => shapeError(value[key], shape[key], options, place === 'the body' ? key : `${place}.${key}`)
    )
  )
}

/** @param {(() => string | undefined)[]} tests */
function firstShapeError (tests) {
  for (const test of tests) {
    const wrong = test()
    if (wrong) return wrong
  }
}
