import { TooBusy } from '../shared/errors.js'

/**
 * A late answer isn't a wrong one. How long something may take follows the pace of this machine and of its neighbours,
 * and what has come too late even so is settled by another attempt: nothing fails because of time alone unless the slow
 * server was in time in the same minute, with half of the patience. What stays unclear is inconclusive.
 *
 * @typedef {{ cpuMs: number, waitMs: number }} Use CPU time of a server so far, and time that it waited for a core, ms
 *
 * @typedef {object} Patient what may be waited for: a server, mostly
 * @property {number} [patience] how many times the usual time it may take: default 1
 * @property {() => Promise<Use | null>} [use]
 *
 * @typedef {object} Attempt
 * @property {boolean} isLate it came too late, and nothing else is wrong
 * @property {string} message what is wrong
 * @property {number} [tookMs] the longest that something took that was in time
 */

/** However busy a machine is: something that never answers has to fail in bounded time. */
export const mostPatience = 3
/** So many times its first patience is what an attempt gets that settles a late one. The slow server gets 1. */
export const secondPatience = 2
/** For how long what a server was seen to wait for cores holds, ms. */
const lookMs = 200

/**
 * How many times the usual time something may take: as often as this machine is slower, and as its share of the cores
 * was smaller than what it asked for. Pure.
 *
 * @param {number} patience for a machine that does nothing else
 * @param {Use | null} use null where the system does not tell
 */
export function patienceOf (patience, use) {
  const stretch = use !== null && use.cpuMs > 0 ? (use.cpuMs + use.waitMs) / use.cpuMs : 1
  return Math.max(patience, Math.min(mostPatience, patience * Math.min(stretch, mostPatience)))
}

/** By server. @type {WeakMap<Patient, { atMs: number, use: Promise<Use | null> }>} */
const looks = new WeakMap()

/** @param {Patient} server @returns {Promise<number>} how many times the usual time it may take now */
export async function patienceNow (server) {
  const now = performance.now()
  let look = looks.get(server)
  if (look === undefined || now - look.atMs > lookMs) {
    look = { atMs: now, use: server.use?.() ?? Promise.resolve(null) }
    looks.set(server, look)
  }
  return patienceOf(server.patience ?? 1, await look.use)
}

/**
 * The same for what a lesson waits for after an answer, such as a line in a log: whoever gives a server all the time in
 * the world for its answers still wants to hear that no line comes.
 *
 * @param {Patient} server
 */
export async function patienceToWait (server) {
  const { patience = 1 } = server
  return patience > mostPatience ? patienceNow({ use: server.use, patience: 1 }) : patienceNow(server)
}

/**
 * Settles what came too late: it's tried once more, with more patience, and then the same is tried with the slow
 * server.
 *
 * @template {Attempt} T
 * @param {object} attempts
 * @param {() => Promise<T>} attempts.again
 * @param {(() => Promise<Attempt>) | null} attempts.slow null: it's the slow server that was late
 * @returns {Promise<T>} in time, or late, which then is a fault
 * @throws {TooBusy} it can't be told
 */
export async function settleLate ({ again, slow }) {
  const second = await again()
  if (!second.isLate) return second
  const reference = await slow?.() ?? null
  if (reference === null) throw new TooBusy(`the slow server was late: ${plain(second.message)}`)
  if (reference.isLate) throw new TooBusy(`${plain(second.message)}, but the slow server was late as well`)
  return { ...second, message: sayLate(second.message, reference.tookMs) }
}

/** Without the full stop of a sentence. @param {string} message */
function plain (message) {
  return message.replace(/\.$/, '')
}

/** @param {string} message @param {number} [slowMs] the longest that the slow server took in the same minute */
export function sayLate (message, slowMs) {
  const slow = slowMs === undefined ? 'was in time' : `took ${Number((slowMs / 1000).toPrecision(2))} s at most`
  return `${plain(message)} (the second time, too, while the slow server ${slow})`
}
