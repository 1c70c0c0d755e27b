import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ContractError, send } from '../../runner/contract/index.js'

/**
 * Orders that a server has to get right while it's in trouble. They're all alike and made up to a fixed number, so that
 * a server's book looks the same afterwards, whichever were refused or disconnected.
 *
 * @import { Order, Quote } from './desk.js'
 *
 * @typedef {object} Trouble
 * @property {number} first from this quote on the book was in trouble
 * @property {number} undelivered quotes that were made and reached no client
 */

const atOnce = 6
const leaving = 3
const inAll = 12
/** Later than any server wants to answer an order. */
const stallMs = 400
const settlingMs = 60
/** Once they're in the queue, and before it's their turn, clients leave. */
const queuedMs = 4
const mostTries = 40
const pauseMs = 100
/** A book that takes so long is settled as a late answer. */
const mostMs = 15_000
/** As many as a server reads at once. */
const manyReads = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(1000)

/**
 * Some of the clients that wait disconnect.
 *
 * @param {string} origin
 * @param {Order} order
 * @returns {Promise<Trouble>}
 */
export async function whileSomeLeave (origin, order) {
  const { number: first } = await addOne(origin, order)
  const orders = Array.from({ length: atOnce }, () => ask(origin, order))
  const leavers = Array.from({ length: leaving }, () => sleep(1).then(() => ask(origin, order, queuedMs)))
  await Promise.all([...orders, ...leavers])
  await sleep(settlingMs)
  await addUpTo(origin, first + inAll, order)
  return { first, undelivered: 0 }
}

/**
 * So many cheap requests come in that orders wait for a long time.
 *
 * @param {string} origin
 * @param {Order} order
 * @returns {Promise<Trouble>}
 */
export async function whileAllWait (origin, order) {
  const { number: first } = await addOne(origin, order)
  const orders = Promise.all(Array.from({ length: atOnce }, () => ask(origin, order)))
  const stall = stallOf(origin)
  const served = (await orders.finally(stall.end)).filter((quote) => quote !== null)
  const { number: last } = await addOne(origin, order)
  await addUpTo(origin, first + inAll, order)
  return { first, undelivered: last - first - 1 - served.length }
}

/** @param {string} origin */
function stallOf (origin) {
  const { hostname, port } = new URL(origin)
  const until = performance.now() + stallMs
  const sockets = [1, 2].map(() => {
    const socket = net.connect(Number(port), hostname)
    const more = () => performance.now() < until && socket.write(manyReads)
    // Responses that aren't read would fill the connection up.
    socket.on('connect', more).on('drain', more).on('error', () => {}).resume()
    return socket
  })
  return { end: () => { for (const socket of sockets) socket.destroy() } }
}

/** @param {string} origin @param {number} last @param {Order} order */
async function addUpTo (origin, last, order) {
  for (let more = 1; more <= inAll; more++) {
    if ((await addOne(origin, order)).number >= last) return
  }
  throw new ContractError(`POST /quotes: ${inAll} more orders later, no quote has had the number ${last}`)
}

/** The part of the book that was written in trouble. @param {string} origin @param {number} first */
export function bookFrom (origin, first) {
  return Promise.all(Array.from({ length: inAll }, async (_, at) => {
    const answer = await fetch(`${origin}/quotes/${first + at}`)
    return answer.ok ? answer.json() : `${answer.status} for the quote ${first + at}`
  }))
}

/** @param {string} origin @param {Order} order @returns {Promise<Quote>} */
async function addOne (origin, order) {
  for (let tries = 0; tries < mostTries; tries++) {
    const quote = await ask(origin, order)
    if (quote) return quote
    await sleep(pauseMs)
  }
  throw new ContractError('POST /quotes: a single order was refused again and again')
}

/**
 * @param {string} origin
 * @param {Order} order
 * @param {number} [leaveMs] after which the client leaves
 * @returns {Promise<Quote | null>} null where it was refused, or the client left
 */
async function ask (origin, order, leaveMs) {
  const request = { method: 'POST', path: '/quotes', json: order, leaveMs }
  const answer = await send(origin, request, { timeoutMs: mostMs }).catch((error) => {
    if (leaveMs !== undefined && error instanceof ContractError) return null
    throw error
  })
  return answer === null || answer.status === 503 ? null : answer.expectStatus(201).json()
}
