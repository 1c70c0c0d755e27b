import http from 'node:http'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ContractError, LateError } from '../../runner/contract/index.js'

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
  const orders = Array.from({ length: atOnce }, () => ask(origin, order).answer)
  await sleep(1)
  const leavers = Array.from({ length: leaving }, () => ask(origin, order))
  // Once they're in the queue, and before it's their turn.
  await sleep(4)
  for (const { leave } of leavers) leave()
  await Promise.all(orders)
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
  const orders = Promise.all(Array.from({ length: atOnce }, () => ask(origin, order).answer))
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
    const quote = await ask(origin, order).answer
    if (quote) return quote
    await sleep(pauseMs)
  }
  throw new ContractError('POST /quotes: a single order was refused again and again')
}

/**
 * @param {string} origin
 * @param {Order} order
 * @returns {{ answer: Promise<Quote | null>, leave: () => void }} answer: null where it was refused, or the client left
 */
function ask (origin, order) {
  const request = http.request(`${origin}/quotes`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json' }
  })
  /** @type {Promise<Quote | null>} */
  const answer = new Promise((resolve, reject) => {
    request.on('error', (error) => reject(new ContractError(`POST /quotes: ${error.message}`)))
    request.on('close', () => resolve(null))
    request.setTimeout(mostMs, () => {
      reject(new LateError(`POST /quotes: no answer within ${mostMs / 1000} s`))
      request.destroy()
    })
    request.on('response', async (response) => {
      const text = (await response.toArray()).join('')
      if (response.statusCode === 201) resolve(JSON.parse(text))
      else if (response.statusCode === 503) resolve(null)
      else reject(new ContractError(`POST /quotes: expected status 201 or 503, got ${response.statusCode}`))
    })
  })
  answer.catch(() => {})
  request.end(JSON.stringify(order))
  return { answer, leave: () => { request.destroy() } }
}
