import http from 'node:http'
import { mostBytes } from '../decoders.js'
import { WorkshopError } from '../errors.js'
import { Answer, ContractError } from './answer.js'
import { unzip } from './unzip.js'

/**
 * @typedef {object} Request
 * @property {string} [method] default GET
 * @property {string} path
 * @property {Record<string, string | undefined>} [headers] one without a value is not sent
 * @property {unknown} [json] sent as application/json
 * @property {string | Uint8Array} [body]
 * @property {boolean} [chunked] send the body without its length, and in parts
 * @property {() => Promise<unknown>} [meanwhile] is done when the answer has begun, before more of it is read
 * @property {http.Agent} [agent] keeps the connection; default: a new connection
 * @property {boolean} [compressed] take a compressed answer, as browsers do, unless `headers` say what to take
 */

const usualMs = 5000
/** What no path of a request can hold. */
const unescaped = /[^\x21-\xff]/
const wrongEncoding = 'its body is not compressed as its Content-Encoding says, or is longer than 64 MB'
/** Between two parts of a body. */
const partsMs = 8
/** Who refuses a long one may hang up before it has come. */
const mostInParts = 4096

/**
 * How long an answer of a server may take.
 *
 * @param {{ patience?: number }} server
 * @returns {{ timeoutMs: number }} for `send`
 */
export function timeFor ({ patience = 1 }) {
  return { timeoutMs: patience * usualMs }
}

/**
 * Sends one request on a new connection and reads the whole answer. The request looks, on the wire, like those
 * of the load, so that a server cannot tell the one from the other.
 *
 * @param {string} origin `http://127.0.0.1:PORT`
 * @param {Request} request
 * @param {{ timeoutMs?: number }} [options]
 * @returns {Promise<Answer>}
 * @throws {ContractError} no answer in time, connection closed, body cut or too long, interim answers
 */
export function send (origin, request, { timeoutMs = usualMs } = {}) {
  const { method = 'GET', path, meanwhile, agent = false } = request
  const label = `${method} ${path.length > 80 ? `${path.slice(0, 77)}…` : path}`
  const { options, body } = optionsOf(origin, request)
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    let interim = 0
    let bytes = 0
    const end = (/** @type {unknown} */ error) => {
      clearTimeout(timer)
      req.destroy()
      reject(error)
    }
    const fail = (/** @type {string} */ message) => end(new ContractError(`${label}: ${message}`))
    const timer = setTimeout(() => fail(bytes > 0
      ? `the answer was not complete after ${timeoutMs / 1000} s`
      : `no answer within ${timeoutMs / 1000} s`), timeoutMs)
    const req = http.request({ ...options, agent, insecureHTTPParser: false })
    req.on('information', () => { interim++ })
    req.on('error', (error) => fail(explain(error)))
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
        if (interim > 0) return fail(tooMuch(interim))
        clearTimeout(timer)
        if (!agent) req.socket?.destroy()
        const { statusCode: status = 0, rawHeaders } = res
        const elapsedMs = performance.now() - startedAt
        const plain = takesCompressed(request) ? unzip({ rawHeaders, body: Buffer.concat(chunks) }) : null
        if (plain === undefined) return fail(wrongEncoding)
        resolve(new Answer({ label, status, rawHeaders, body: Buffer.concat(chunks), elapsedMs, ...plain }))
      })
    })
    if (request.chunked && body && body.length < mostInParts) sendInParts(req, Buffer.from(body))
    else req.end(body)
  })
}

/**
 * As a slow client sends it: in two parts, and within a letter where one takes more than a byte.
 *
 * @param {http.ClientRequest} req
 * @param {Buffer} body
 */
function sendInParts (req, body) {
  const within = body.findIndex((byte) => byte >> 6 === 0b10)
  const at = within === -1 ? body.length >> 1 : within
  req.write(body.subarray(0, at))
  setTimeout(() => req.end(body.subarray(at)), partsMs)
}

/** @param {Request} request */
function takesCompressed ({ compressed = false, headers = {} }) {
  return compressed && !Object.keys(headers).some((name) => name.toLowerCase() === 'accept-encoding')
}

/** @param {string} origin @param {Request} request */
function optionsOf (origin, request) {
  const { method = 'GET', path, json, body: given, headers: more, chunked = false } = request
  if (unescaped.test(path)) {
    const shown = JSON.stringify(path)
    throw new WorkshopError(`The lesson requests the path ${shown}: encode it, as encodeURIComponent does.`)
  }
  const body = json === undefined ? given : JSON.stringify(json)
  const url = new URL(origin)
  /** @type {Record<string, string | undefined>} */
  const all = {
    Host: url.host,
    Connection: 'keep-alive',
    ...(takesCompressed(request) ? { 'Accept-Encoding': 'gzip, deflate, br' } : {}),
    ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...more
  }
  const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  if (body !== undefined) {
    if (chunked) headers['Transfer-Encoding'] = 'chunked'
    else headers['Content-Length'] = String(Buffer.byteLength(body))
  }
  return { options: { host: url.hostname, port: url.port, method, path, headers }, body }
}

/** @param {number} interim */
function tooMuch (interim) {
  return `it sent ${interim} interim answer${interim > 1 ? 's' : ''} (1xx) before the answer; ` +
    'a client cannot use them here'
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
