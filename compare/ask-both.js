import { ContractError, send } from '../runner/contract/index.js'
import { WorkshopError } from '../runner/shared/errors.js'
import { plainBody } from '../runner/shared/http-fields.js'
import { createRandom } from '../runner/shared/random.js'
import {
  asAnswer, compareAnswers, differs, labelOf, onlyErrors, onlyLogins, someErrors, varies
} from './differences.js'
import { changesData, drawRequests, fill, isSafe } from './load-file.js'
import { orWhyNoAnswer } from './no-answer.js'

/**
 * What both servers are asked around the load: to be prepared, and for the same answers.
 *
 * @import { RoundsOptions } from '../runner/check/index.js'
 * @import { Answer } from '../runner/contract/index.js'
 * @import { ContractResult } from '../runner/judge/index.js'
 * @import { Server } from '../runner/process/index.js'
 * @import { AnyAnswer } from './differences.js'
 * @import { ConcreteRequest, Kept, Load } from './load-file.js'
 * @import { Prepared } from './no-answer.js'
 *
 * @typedef {object} Asking
 * @property {Load} load
 * @property {readonly string[]} ignore
 * @property {string} seed
 * @property {number} [seconds] that the comparison may take
 * @property {<T>(use: (twin: Server) => Promise<T>) => Promise<T | null>} [withTwin] starts the original once more;
 *   null where that can't be done
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
      const [before, after] = servers = [preparedOf(names[0], baseline), preparedOf(names[1], yours)]
      const found = await orWhyNoAnswer(servers, async () => {
        await Promise.all([before, after].map((server) => runBefore(asking.load, server, asking.seed)))
        return isFirst ? askBothServers(asking, [before, after], 'before') : []
      })
      const [one, other] = [before, after].map(({ origin, kept }, i) => ({ isOriginal: i === 0, origin, kept }))
      return { kept: { baseline: one, yours: other }, found }
    },
    testSoaked: async () => {
      const [before, after] = servers ?? []
      if (before === undefined || after === undefined) return {}
      return orWhyNoAnswer([before, after], () => askBothServers(asking, [before, after], 'after'))
    }
  }
}

/** @param {string} name @param {Server} server @returns {Prepared} */
export function preparedOf (name, server) {
  return { name, origin: server.origin, kept: {}, server }
}

/** Data may take its time. */
const prepareMs = 30_000
/** As long as under load: who takes longer fails there. */
const answerMs = 10_000

/**
 * Prepares one server as the load file says: a login, data. What that yields is among what it has kept.
 *
 * @param {Load} load
 * @param {Prepared} server
 * @param {string} seed the same for both servers
 * @throws {WorkshopError} a request of it was refused, or a value that it keeps is missing
 */
export async function runBefore ({ before = [], inputs }, server, seed) {
  const { name, kept } = server
  if (typeof before === 'function') {
    try {
      const sendOne = (/** @type {any} */ request) => sendTo(server, fill(request, {}), prepareMs)
      Object.assign(kept, await before({ origin: server.origin, send: sendOne }))
    } catch (error) {
      throw new WorkshopError(`${name} can’t be prepared: \`before\` of the load file failed: ${error.message}.`)
    }
    return
  }
  const draws = drawRequests({ requests: before, inputs }, createRandom(`${seed}/before`), kept)
  for (const [i, request] of before.entries()) {
    // Each place is filled: the rules of the load file see to it.
    const asked = /** @type {ConcreteRequest} */ (draws.nth(i))
    const answer = await ask(server, asked, prepareMs)
    if (typeof answer !== 'string' && answer.status < 400) continue
    const wrong = typeof answer === 'string' ? answer : `answers with status ${answer.status}`
    throw new WorkshopError(`${name} can’t be prepared: \`before[${i}]\`, ${request.method ?? 'GET'} ` +
      `${request.path}, ${wrong}. Correct it in the load file.`)
  }
}

/** Each request of the load this often at least, and so many in all. */
const [eachAtLeast, leastInAll, mostInAll] = [2, 60, 400]
/** The shares of the time after which no further request is sent before and after the load, and the least, s. */
const [shares, leastSeconds] = [{ before: 1 / 4, after: 1 / 10 }, 2.5]

/**
 * Sends the same requests to both servers, one after the other, for as long as there is time, and compares their
 * answers.
 *
 * @param {Asking} asking
 * @param {[Prepared, Prepared]} servers the original first
 * @param {'before' | 'after'} when of the load
 * @returns {Promise<ContractResult[]>} empty where the load has changed the data of each as fast as it was; a passed
 *   one has a message where some answers are errors, or some requests weren't sent
 * @throws {WorkshopError} the original gives no answers that can be compared
 */
export async function askBothServers (asking, servers, when) {
  const { load, seed, seconds = Infinity } = asking
  if (when === 'after' && changesData(load)) return []
  const until = performance.now() + Math.max(leastSeconds, seconds * shares[when]) * 1000
  const [a, b] = servers.map(({ kept }) => drawRequests(load, createRandom(`${seed}/answers/${when}`), kept))
  /** @type {ContractResult} */
  const result = { name: 'the same answers', when, status: 'pass', message: '' }
  const sent = []
  for (const [turn, index] of turns(load.requests.length).entries()) {
    const [one, other] = [a, b].map((draws) => index === null ? draws.next() : draws.nth(index))
    if (one === null || other === null) continue
    if (sent.length > 0 && performance.now() > until) break
    const twice = turn < load.requests.length
    const { status, location, difference } = await compareOne([one, other], { ...asking, servers, twice })
    if (difference !== null) return [{ ...result, ...difference, status: 'fail' }]
    sent.push({ request: one, status, location })
  }
  if (sent.length === 0) return [result]
  if (sent.every(({ status }) => status >= 400)) throw onlyErrors(servers[0].name, sent[0])
  if (sent.every(({ location }) => /log.?in|sign.?in|auth/i.test(location))) throw onlyLogins(servers[0].name, sent[0])
  return [{ ...result, message: [someErrors(sent), someUnsent(sent, load)].filter(Boolean).join(' ') }]
}

/** @param {{ request: ConcreteRequest }[]} sent @param {Load} load */
function someUnsent (sent, { requests }) {
  const count = new Set(sent.map(({ request }) => request.request)).size
  return count === requests.length || sent.length >= leastInAll
    ? ''
    : `Only ${count} of the ${requests.length} requests were compared one by one, because their answers take long: ` +
      'give it more time with --seconds.'
}

/** Each request by itself, one after the other, then null: by the weights. @param {number} requests */
function turns (requests) {
  const each = Array.from({ length: eachAtLeast }, () => [...Array(requests).keys()]).flat().slice(0, mostInAll)
  return [...each, ...Array(Math.max(0, leastInAll - each.length)).fill(null)]
}

/**
 * @param {ConcreteRequest[]} requests the same for both, but for what each has kept
 * @param {Asking & { servers: readonly Prepared[], twice: boolean }} given twice: what the original answers differently
 *   each time is no difference between the two
 */
async function compareOne ([one, other], { servers: [before, after], twice, ...asking }) {
  const options = { ignore: asking.ignore, asked: one.path, origins: [before.origin, after.origin] }
  const askBoth = () => Promise.all([ask(before, one), ask(after, other)])
  const [first, second] = await askBoth()
  if (typeof first === 'string') {
    throw new WorkshopError(`${before.name} gives no answer that can be compared: ${first}.${adviceFor(first)}`)
  }
  const found = typeof second === 'string' ? null : compareAnswers(first, second, options)
  if (isSafe(one.request) && (twice || found !== null)) {
    const [again] = await askBoth()
    const own = typeof again === 'string'
      ? null
      : compareAnswers(first, again, { ...options, origins: [before.origin, before.origin] })
    if (own !== null) throw varies(before.name, one, own)
    const ofTwin = found && !changesData(asking.load) ? await compareTwin(first, one, before, asking) : null
    if (ofTwin !== null && ofTwin.place === found?.place) throw varies(before.name, one, ofTwin, 'after each start')
  }
  const difference = typeof second === 'string'
    ? { message: `${after.name} gave no answer: ${second}.${adviceFor(second)}`, requests: [] }
    : found && differs([before.name, after.name], one, found)
  const { status, headers: { location = '' } } = first
  return { status, location, difference }
}

/**
 * Does the original, started once more, differ from itself? Its process's id would.
 *
 * @param {Answer} first @param {ConcreteRequest} request @param {Prepared} before @param {Asking} asking
 */
async function compareTwin (first, request, before, { load, ignore, seed, withTwin }) {
  return await withTwin?.(async (server) => {
    const twin = preparedOf(before.name, server)
    await runBefore(load, twin, seed)
    const values = { ...request.inputs, ...before.kept, ...twin.kept }
    const answer = await ask(twin, { ...request, ...fill(request.request, values) })
    const options = { ignore, asked: request.path, origins: [before.origin, twin.origin] }
    return typeof answer === 'string' ? null : compareAnswers(first, answer, options)
  }) ?? null
}

/** @param {string} failure */
function adviceFor (failure) {
  return /\d s$/.test(failure) ? ' Leave that request out of the load: an answer may take no longer.' : ''
}

/**
 * Sends a request, and keeps what it says of the answer.
 *
 * @param {Prepared} server
 * @param {ConcreteRequest} request
 * @param {number} [timeoutMs]
 * @returns {Promise<Answer | string>} a string: why there is no answer, or what it lacks
 */
async function ask (server, request, timeoutMs = answerMs) {
  try {
    const answer = await sendTo(server, request, timeoutMs)
    if (answer.status < 400) Object.assign(server.kept, keepFrom(answer, request.request.keep ?? {}))
    return answer
  } catch (error) {
    if (error instanceof ContractError || error instanceof WorkshopError) return error.message
    throw error
  }
}

/** @param {Prepared} server @param {ReturnType<typeof fill>} request @param {number} timeoutMs */
async function sendTo (server, request, timeoutMs) {
  Object.assign(server, { asked: labelOf(request), isSilent: true })
  const answer = await send(server.origin, request, { timeoutMs })
  server.isSilent = false
  return answer
}

/**
 * Values of an answer for later requests. Pure.
 *
 * @param {AnyAnswer} answer
 * @param {Record<string, string>} keep places in it by name: `body.user.token`, `headers.location`, `cookies.session`
 * @returns {Kept}
 * @throws {WorkshopError} it has no such value
 */
export function keepFrom (answer, keep) {
  const read = asAnswer(answer)
  return Object.fromEntries(Object.entries(keep).map(([name, place]) => {
    const value = valueAt(read, place)
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
    /** @type {any} */
    const body = JSON.parse(plainBody(answer).toString())
    return keys.reduce((value, key) => Object.hasOwn(value, key) ? value[key] : undefined, body)
  } catch {
    return undefined
  }
}
