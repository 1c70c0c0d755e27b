import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { Agent } from 'node:http'

/**
 * Draws a waterfall of each request that a server gets, without a change to the server:
 *
 *     node --import ./waterfall.mjs server.js
 *
 * Calls made with node:http, node:https, a library that uses them, or fetch have a row each. It needs nothing but
 * Node.js, 20 or later.
 *
 * @typedef {{ path: string, madeAt: number, sentAt?: number, endedAt?: number }} Call ms; sentAt: it got its connection
 */

const columns = 60
/** @type {AsyncLocalStorage<Call[]>} the calls of the page that is being made */
const page = new AsyncLocalStorage()
/** @type {WeakMap<object, Call>} */
const calls = new WeakMap()

function make (/** @type {any} */ { request }) {
  const call = { path: request.path, madeAt: performance.now() }
  calls.set(request, call)
  page.getStore()?.push(call)
}

/** @param {any} request @param {'sentAt' | 'endedAt'} time */
function note (request, time) {
  const call = calls.get(request)
  if (call) call[time] = performance.now()
}

// A call is made when it asks its agent for a connection. Node.js 20 has no channel for that.
const { addRequest } = /** @type {any} */ (Agent.prototype)
Object.assign(Agent.prototype, {
  addRequest (/** @type {any} */ request, /** @type {any[]} */ ...rest) {
    make({ request })
    addRequest.call(this, request, ...rest)
  }
})
subscribe('http.client.request.start', (/** @type {any} */ { request }) => note(request, 'sentAt'))
// This comes with the headers.
subscribe('http.client.response.finish', (/** @type {any} */ { request, response }) => {
  response.once('end', () => note(request, 'endedAt'))
})

subscribe('undici:request:create', make)
subscribe('undici:client:sendHeaders', (/** @type {any} */ { request }) => note(request, 'sentAt'))
subscribe('undici:request:trailers', (/** @type {any} */ { request }) => note(request, 'endedAt'))

subscribe('http.server.request.start', (/** @type {any} */ { request, response }) => {
  const startedAt = performance.now()
  /** @type {Call[]} */
  const made = []
  page.enterWith(made)
  response.once('close', () => {
    const now = performance.now()
    console.log([`${request.url} took ${(now - startedAt).toFixed(0)} ms`, ...rowsOf(made, startedAt, now)].join('\n'))
  })
})

/**
 * A row for each call: dots while it waits for a connection, `#` while it's under way. Pure.
 *
 * @param {Call[]} made @param {number} from @param {number} to ms, of the page
 */
export function rowsOf (made, from, to) {
  const column = (time = to) => Math.round(columns * (time - from) / (to - from))
  return made.map(({ path, madeAt, sentAt, endedAt }) => {
    const waited = '.'.repeat(column(sentAt) - column(madeAt))
    return `${waited.padStart(column(sentAt)).padEnd(column(endedAt), '#')} ${path}`
  })
}
