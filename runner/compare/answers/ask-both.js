import { ContractError, send } from '../../contract/index.js'
import { WorkshopError } from '../../errors.js'
import { createRandom } from '../../random.js'
import { isSafe } from '../load-file/load.js'
import { drawRequests } from '../load-file/stream.js'
import { compareAnswers } from './compare-answers.js'
import { keepFrom } from './keep.js'
import { differs, noAnswer, onlyErrors, onlyLogins, someErrors, varies } from './sentences.js'

/**
 * @import { Answer } from '../../contract/index.js'
 * @import { ContractResult } from '../../judge/index.js'
 * @import { Kept, Load } from '../load-file/load.js'
 * @import { ConcreteRequest } from '../load-file/stream.js'
 *
 * @typedef {{ name: string, origin: string, kept: Kept }} Prepared one of the two servers; name: what people call it
 *
 * @typedef {object} Asking
 * @property {Load} load
 * @property {readonly string[]} ignore
 * @property {string} seed
 * @property {[Prepared, Prepared]} servers the original first; what they have kept grows
 * @property {'before' | 'after'} when of the load
 */

export const timeoutMs = 30_000
/** Each request of the load this often at least, and so many in all. */
const [eachAtLeast, leastInAll, mostInAll] = [2, 60, 400]

/**
 * Sends the same requests to both servers, one after the other, and compares their answers.
 *
 * @param {Asking} asking
 * @returns {Promise<ContractResult[]>} empty where the load has changed the data of each as fast as it was; a passed
 *   one has a message where some answers are errors
 * @throws {WorkshopError} the original gives no answers that can be compared
 */
export async function askBothServers ({ load, ignore, seed, servers, when }) {
  if (when === 'after' && changesData(load)) return []
  const [a, b] = servers.map(({ kept }) => drawRequests(load, createRandom(`${seed}/answers/${when}`), kept))
  /** @type {ContractResult} */
  const result = { name: 'the same answers', when, status: 'pass', message: '' }
  const sent = []
  for (const [turn, index] of turns(load.requests.length).entries()) {
    const [one, other] = [a, b].map((draws) => index === null ? draws.next() : draws.nth(index))
    if (one === null || other === null) continue
    const given = { servers, ignore, twice: turn < load.requests.length }
    const { status, location, difference } = await compareOne([one, other], given)
    if (difference !== null) return [{ ...result, ...difference, status: 'fail' }]
    sent.push({ request: one, status, location })
  }
  if (sent.length === 0) return [result]
  if (sent.every(({ status }) => status >= 400)) throw onlyErrors(servers[0].name, sent[0])
  if (sent.every(({ location }) => /log.?in|sign.?in|auth/i.test(location))) throw onlyLogins(servers[0].name, sent[0])
  return [{ ...result, message: someErrors(sent) }]
}

/** @param {Load} load whose answers depend on what was sent before, and so on how fast a server is */
export function changesData (load) {
  return !load.requests.every(isSafe)
}

/**
 * Each request by itself, one after the other, then by the weights.
 *
 * @param {number} requests
 * @returns {(number | null)[]} null: by the weights
 */
function turns (requests) {
  const each = Array.from({ length: eachAtLeast }, () => [...Array(requests).keys()]).flat().slice(0, mostInAll)
  return [...each, ...Array(Math.max(0, leastInAll - each.length)).fill(null)]
}

/**
 * Sends a request, and keeps what it says of the answer.
 *
 * @param {Pick<Prepared, 'origin' | 'kept'>} server
 * @param {ConcreteRequest} request
 * @returns {Promise<Answer | string>} a string: why there is no answer, or what it lacks
 */
export async function ask ({ origin, kept }, request) {
  try {
    const answer = await send(origin, request, { timeoutMs })
    if (answer.status < 400) Object.assign(kept, keepFrom(answer, request.request.keep ?? {}))
    return answer
  } catch (error) {
    if (error instanceof ContractError || error instanceof WorkshopError) return error.message
    throw error
  }
}

/**
 * @param {ConcreteRequest[]} requests the same for both, but for what each has kept
 * @param {{ servers: readonly Prepared[], ignore: readonly string[], twice: boolean }} given twice: what the original
 *   answers differently each time is no difference between the two
 * @returns {Promise<{ status: number, location: string, difference: { message: string, requests: string[] } | null }>}
 *   status and Location: the original's
 */
async function compareOne ([one, other], { servers: [before, after], ignore, twice }) {
  const options = { ignore, asked: one.path }
  const [first, second] = await Promise.all([ask(before, one), ask(after, other)])
  if (typeof first === 'string') throw noAnswer(before.name, first)
  const lost = typeof second === 'string' ? { message: `${after.name} gave no answer: ${second}.`, requests: [] } : null
  const difference = typeof second === 'string' ? null : compareAnswers(first, second, options)
  if (one.safe && (twice || difference !== null)) {
    const [again] = await Promise.all([ask(before, one), ask(after, other)])
    const own = typeof again === 'string' ? null : compareAnswers(first, again, options)
    if (own !== null) throw varies(before.name, one, own)
  }
  const names = [before.name, after.name]
  const { status, headers: { location = '' } } = first
  return { status, location, difference: lost ?? (difference && differs(names, one, difference)) }
}
