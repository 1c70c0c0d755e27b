import { ContractError, send } from '../runner/contract/index.js'
import { WorkshopError } from '../runner/shared/errors.js'
import { createRandom } from '../runner/shared/random.js'
import { compareAnswers, differs, onlyErrors, onlyLogins, someErrors, varies } from './differences.js'
import { changesData, drawRequests, fill, isSafe } from './load-file.js'

/**
 * What both servers are asked around the load: to be prepared, and for the same answers.
 *
 * @import { RoundsOptions } from '../runner/check/index.js'
 * @import { Answer } from '../runner/contract/index.js'
 * @import { ContractResult } from '../runner/judge/index.js'
 * @import { ConcreteRequest, Kept, Load } from './load-file.js'
 *
 * @typedef {{ name: string, origin: string, kept: Kept }} Prepared one of the two servers; what it has kept grows
 * @typedef {{ load: Load, ignore: readonly string[], seed: string }} Asking
 */

/**
 * What is done with the two servers before and after the load.
 *
 * @param {Asking} asking
 * @param {[string, string]} names of the two servers, the original first
 * @returns {Required<Pick<RoundsOptions, 'prepare' | 'testSoaked'>>}
 */
export function aroundLoad (asking, names) {
  /** @type {[Prepared, Prepared] | null} */
  let servers = null
  return {
    prepare: async ({ baseline, yours }) => {
      const isFirst = servers === null
      const prepare = async (/** @type {string} */ name, /** @type {{ origin: string }} */ { origin }) =>
        ({ name, origin, kept: await runBefore(asking.load, { origin, who: name, seed: asking.seed }) })
      const [before, after] = servers = await Promise.all([prepare(names[0], baseline), prepare(names[1], yours)])
      return {
        kept: { baseline: { isOriginal: true, kept: before.kept }, yours: { isOriginal: false, kept: after.kept } },
        found: { contract: isFirst ? await askBothServers(asking, servers, 'before') : [] }
      }
    },
    testSoaked: async () => ({ contract: servers ? await askBothServers(asking, servers, 'after') : [] })
  }
}

/**
 * Prepares one server as the load file says: a login, data.
 *
 * @param {Load} load
 * @param {{ origin: string, who: string, seed: string }} server who: what it is called in a sentence; seed: the same
 *   for both servers
 * @returns {Promise<Kept>} values for later requests
 * @throws {WorkshopError} a request of it was refused, or a value that it keeps is missing
 */
export async function runBefore ({ before = [], inputs }, { origin, who, seed }) {
  if (typeof before === 'function') {
    try {
      return await before({ origin, send: (request) => sendTo(origin, fill(request, {})) }) ?? {}
    } catch (error) {
      throw new WorkshopError(`${who} can’t be prepared: \`before\` of the load file failed: ${error.message}.`)
    }
  }
  /** @type {Kept} */
  const kept = {}
  const draws = drawRequests({ requests: before, inputs }, createRandom(`${seed}/before`), kept)
  for (const [i, request] of before.entries()) {
    // Each place is filled: the rules of the load file see to it.
    const asked = /** @type {ConcreteRequest} */ (draws.nth(i))
    const answer = await ask({ origin, kept }, asked)
    if (typeof answer !== 'string' && answer.status < 400) continue
    const wrong = typeof answer === 'string' ? answer : `answers with status ${answer.status}`
    throw new WorkshopError(`${who} can’t be prepared: \`before[${i}]\`, ${request.method ?? 'GET'} ${request.path}, ` +
      `${wrong}. Correct it in the load file.`)
  }
  return kept
}

/** Each request of the load this often at least, and so many in all. */
const [eachAtLeast, leastInAll, mostInAll] = [2, 60, 400]

/**
 * Sends the same requests to both servers, one after the other, and compares their answers.
 *
 * @param {Asking} asking
 * @param {[Prepared, Prepared]} servers the original first
 * @param {'before' | 'after'} when of the load
 * @returns {Promise<ContractResult[]>} empty where the load has changed the data of each as fast as it was; a passed
 *   one has a message where some answers are errors
 * @throws {WorkshopError} the original gives no answers that can be compared
 */
export async function askBothServers ({ load, ignore, seed }, servers, when) {
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

/** Each request by itself, one after the other, then null: by the weights. @param {number} requests */
function turns (requests) {
  const each = Array.from({ length: eachAtLeast }, () => [...Array(requests).keys()]).flat().slice(0, mostInAll)
  return [...each, ...Array(Math.max(0, leastInAll - each.length)).fill(null)]
}

/**
 * @param {ConcreteRequest[]} requests the same for both, but for what each has kept
 * @param {{ servers: readonly Prepared[], ignore: readonly string[], twice: boolean }} given twice: what the original
 *   answers differently each time is no difference between the two
 */
async function compareOne ([one, other], { servers: [before, after], ignore, twice }) {
  const options = { ignore, asked: one.path }
  const askBoth = () => Promise.all([ask(before, one), ask(after, other)])
  const [first, second] = await askBoth()
  if (typeof first === 'string') {
    throw new WorkshopError(`${before.name} gives no answer that can be compared: ${first}.`)
  }
  const found = typeof second === 'string' ? null : compareAnswers(first, second, options)
  if (isSafe(one.request) && (twice || found !== null)) {
    const [again] = await askBoth()
    const own = typeof again === 'string' ? null : compareAnswers(first, again, options)
    if (own !== null) throw varies(before.name, one, own)
  }
  const difference = typeof second === 'string'
    ? { message: `${after.name} gave no answer: ${second}.`, requests: [] }
    : found && differs([before.name, after.name], one, found)
  const { status, headers: { location = '' } } = first
  return { status, location, difference }
}

/**
 * Sends a request, and keeps what it says of the answer.
 *
 * @param {Pick<Prepared, 'origin' | 'kept'>} server
 * @param {ConcreteRequest} request
 * @returns {Promise<Answer | string>} a string: why there is no answer, or what it lacks
 */
async function ask ({ origin, kept }, request) {
  try {
    const answer = await sendTo(origin, request)
    if (answer.status < 400) Object.assign(kept, keepFrom(answer, request.request.keep ?? {}))
    return answer
  } catch (error) {
    if (error instanceof ContractError || error instanceof WorkshopError) return error.message
    throw error
  }
}

/** @param {string} origin @param {ReturnType<typeof fill>} request */
function sendTo (origin, request) {
  return send(origin, request, { timeoutMs: 30_000 })
}

/**
 * Values of an answer for later requests. Pure.
 *
 * @param {Answer} answer
 * @param {Record<string, string>} keep places in it by name: `body.user.token`, `headers.location`, `cookies.session`
 * @returns {Kept}
 * @throws {WorkshopError} it has no such value
 */
export function keepFrom (answer, keep) {
  return Object.fromEntries(Object.entries(keep).map(([name, place]) => {
    const value = valueAt(answer, place)
    const isValue = typeof value === 'number' || (typeof value === 'string' && !/[\r\n]/.test(value))
    if (isValue) return [name, value]
    throw new WorkshopError(`has no line of text or number at ${place}, which \`keep\` calls ${name}`)
  }))
}

/** @param {Answer} answer @param {string} place @returns {unknown} */
function valueAt (answer, place) {
  const [part, ...keys] = place.split(/[.[\]]+/).filter((key) => key !== '')
  if (part === 'headers') return answer.headers[keys.join('.').toLowerCase()]
  if (part === 'cookies') return answer.cookies.find(({ name }) => name === keys.join('.'))?.value
  try {
    return keys.reduce((value, key) => Object.hasOwn(value, key) ? value[key] : undefined, answer.json())
  } catch {
    return undefined
  }
}
