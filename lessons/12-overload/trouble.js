import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ContractError, send } from '../../runner/contract/index.js'

/**
 * Orders that a server has to get right while it's in trouble. They're all alike and made up to a fixed number, so that
 * a server's book looks the same afterwards, whichever were refused or disconnected.
 *
 * @import { Order, Quote } from './desk.js'
 *
 * @typedef {{ first: number, undelivered: number }} Trouble first: from this quote on the book was in trouble;
 *   undelivered: quotes that were made and reached no client
 */

const [atOnce, leaving, inAll] = [6, 3, 12]
/** Later than any server wants to answer an order. */
const stallMs = 400
const settlingMs = 60
/** Once they're in the queue, and before it's their turn, clients leave. */
const queuedMs = 4
/** A book that takes so long is settled as a late answer. */
const mostMs = 15_000
/** As many as a server reads at once. */
const manyReads = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(1000)

/** Some of the clients that wait disconnect. @param {string} origin @param {Order} order @returns {Promise<Trouble>} */
export async function whileSomeLeave (origin, order) {
  const ask = asking(origin, order)
  const { number: first } = await addOne(ask)
  const orders = Array.from({ length: atOnce }, () => ask())
  const leavers = Array.from({ length: leaving }, () => sleep(1).then(() => ask(queuedMs)))
  await Promise.all([...orders, ...leavers])
  await sleep(settlingMs)
  await addUpTo(first + inAll, ask)
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
  const ask = asking(origin, order)
  const { number: first } = await addOne(ask)
  const orders = Promise.all(Array.from({ length: atOnce }, () => ask()))
  const sockets = [1, 2].map(() => stall(origin))
  const served = (await orders.finally(() => sockets.forEach((socket) => socket.destroy()))).filter(Boolean)
  const { number: last } = await addOne(ask)
  await addUpTo(first + inAll, ask)
  return { first, undelivered: last - first - 1 - served.length }
}

/** @param {string} origin */
function stall (origin) {
  const { hostname, port } = new URL(origin)
  const until = performance.now() + stallMs
  const socket = net.connect(Number(port), hostname)
  const more = () => performance.now() < until && socket.write(manyReads)
  // Responses that aren't read would fill the connection up.
  return socket.on('connect', more).on('drain', more).on('error', () => {}).resume()
}

/** @param {number} last @param {ReturnType<typeof asking>} ask */
async function addUpTo (last, ask) {
  for (let more = 1; more <= inAll; more++) {
    if ((await addOne(ask)).number >= last) return
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

/**
 * One quote, from a server that has time for it soon.
 *
 * @param {() => Promise<Quote | null | undefined>} ask none where the order was refused
 * @param {{ tries?: number, pauseMs?: number }} [patience]
 */
export async function addOne (ask, { tries = 40, pauseMs = 100 } = {}) {
  for (let i = 0; i < tries; i++) {
    const quote = await ask()
    if (quote) return quote
    await sleep(pauseMs)
  }
  throw new ContractError('POST /quotes: a single order was refused again and again')
}

/** Sends an order; leaveMs: after which the client leaves. @param {string} origin @param {Order} json */
function asking (origin, json) {
  /** @param {number} [leaveMs] @returns {Promise<Quote | null>} null where it was refused, or the client left */
  return async (leaveMs) => {
    const request = { method: 'POST', path: '/quotes', json, leaveMs }
    const answer = await send(origin, request, { timeoutMs: mostMs }).catch((error) => {
      if (leaveMs !== undefined && error instanceof ContractError) return null
      throw error
    })
    return answer === null || answer.status === 503 ? null : answer.expectStatus(201).json()
  }
}
