import http from 'node:http'
import { Answer, ContractError } from './answer.js'

/**
 * @typedef {object} Request
 * @property {string} [method] default GET
 * @property {string} path
 * @property {Record<string, string>} [headers]
 * @property {unknown} [json] sent as application/json
 * @property {string | Uint8Array} [body]
 */

const defaultTimeoutMs = 5000
const mostBytes = 64 * 1024 * 1024

/**
 * Sends one request on a connection of its own and reads the whole answer. The request looks, on the wire, like those
 * of the load, so that a server cannot tell the one from the other.
 *
 * @param {string} origin `http://127.0.0.1:PORT`
 * @param {Request} request
 * @param {{ timeoutMs?: number, agent?: http.Agent }} [options]
 * @returns {Promise<Answer>}
 * @throws {ContractError} no answer in time, connection closed, body cut or too long, interim answers
 */
export function send (origin, request, { timeoutMs = defaultTimeoutMs, agent } = {}) {
  const { method = 'GET', path } = request
  const label = `${method} ${path.length > 80 ? `${path.slice(0, 77)}…` : path}`
  const body = request.json === undefined ? request.body : JSON.stringify(request.json)
  const url = new URL(origin)
  /** @type {Record<string, string>} */
  const headers = {
    Host: url.host,
    Connection: 'keep-alive',
    ...(request.json === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...request.headers
  }
  if (body !== undefined) headers['Content-Length'] = String(Buffer.byteLength(body))

  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    let interim = 0
    /** @type {Buffer[]} */
    const chunks = []
    const fail = (/** @type {string} */ message) => {
      clearTimeout(timer)
      req.destroy()
      reject(new ContractError(`${label}: ${message}`))
    }
    const timer = setTimeout(() => fail(chunks.length > 0
      ? `the answer was not complete after ${timeoutMs / 1000} s`
      : `no answer within ${timeoutMs / 1000} s`), timeoutMs)
    const req = http.request({
      host: url.hostname,
      port: url.port,
      method,
      path,
      headers,
      agent: agent ?? false,
      insecureHTTPParser: false
    })
    req.on('information', () => { interim++ })
    req.on('error', (error) => fail(explain(error)))
    req.on('response', (res) => {
      let bytes = 0
      res.on('data', (chunk) => {
        bytes += chunk.length
        if (bytes > mostBytes) fail('the answer is longer than 64 MB')
        else chunks.push(chunk)
      })
      res.on('aborted', () =>
        fail(
          `the answer was cut after ${bytes} ` +
            `bytes${res.headers['content-length'] ? ` of ${res.headers['content-length']}` : ''}`
        )
      )
      res.on('error', (error) => fail(explain(error)))
      res.on('end', () => {
        if (!res.complete) return fail(`the answer was cut after ${bytes} bytes`)
        if (interim > 0) {
          return fail(
            `it sent ${interim} interim answer${interim > 1 ? 's' : ''} (1xx) before the answer; a client cannot use ` +
              'them here'
          )
        }
        clearTimeout(timer)
        if (!agent) req.socket?.destroy()
        resolve(new Answer({
          label,
          status: res.statusCode ?? 0,
          rawHeaders: res.rawHeaders,
          body: Buffer.concat(chunks),
          elapsedMs: performance.now() - startedAt
        }))
      })
    })
    req.end(body)
  })
}

/** @param {NodeJS.ErrnoException} error */
function explain (error) {
  if (error.code === 'ECONNREFUSED') return 'the server does not listen any more'
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE') {
    return 'the server closed the connection without a complete answer'
  }
  if (error.code?.startsWith('HPE_')) return `the answer is not valid HTTP (${error.message})`
  return error.message
}
