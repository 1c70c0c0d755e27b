import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { patienceToWait } from '../process/index.js'
import { plainBody, plainText } from '../shared/http-fields.js'
import { ContractError, LateError } from './answer.js'
import { send, timeFor, untilAborted } from './client.js'

/**
 * @import { Fault, Server } from '../process/index.js'
 * @import { Answer } from './answer.js'
 * @import { Request } from './client.js'
 * @import { Event, Moment, Operation, Outcome, Perturbation, Plain, Step } from './operation.js'
 *
 * @typedef {object} Execution
 * @property {Map<Step, Outcome>} outcomes
 * @property {Map<Step, Plain>} done what was really asked
 * @property {Server} server the last one, if it was restarted on the way
 *
 * @typedef {Record<Event, (server: Server) => Promise<Server>>} Events what each does, and the server from then on
 */

/** How often a client that's told to come back later does. */
const mostTries = 12
const pauseMs = 150
/** So long before a write goes the read that it's to overtake. */
const aheadMs = 5
/** How often the usual time of an answer an act, or a look, may take: both ask several times. */
const ofSeveral = 3

/** Why nothing was asked: an earlier step, on which this one rests, has no answer. */
class Unanswered extends Error {}

/**
 * Carries out a sequence on one server.
 *
 * @param {Moment[]} moments
 * @param {object} on
 * @param {Server} on.server
 * @param {Events} on.events
 * @param {boolean} [on.inTurn] steps of a moment one after the other
 * @param {(moment: Moment) => Promise<Step[]>} [on.stepsOf] their order
 * @param {(moment: Moment, so: Execution) => boolean | void} [on.onMoment] is told what has been carried out, and says
 *   whether the rest isn't needed
 * @param {number} [on.factor] so many times as patient as usual
 * @param {AbortSignal} [on.signal]
 * @returns {Promise<Execution>}
 */
export async function execute (moments, on) {
  const { events, inTurn = false, stepsOf = async ({ steps }) => steps, onMoment, factor = 1, signal } = on
  let { server } = on
  const agent = new http.Agent({ keepAlive: true })
  /** @type {Execution['outcomes']} */
  const outcomes = new Map()
  /** @type {Execution['done']} */
  const done = new Map()
  const answerOf = (/** @type {Step} */ step) => {
    const outcome = outcomes.get(step)
    if (!outcome || !('answer' in outcome)) throw new Unanswered()
    return outcome.answer
  }
  const carryOut = async (/** @type {Step} */ step) => {
    const on = { server, agent, answerOf, done, factor, signal }
    outcomes.set(step, await untilAborted(outcomeOf(step, on), signal))
  }
  try {
    for (const moment of moments) {
      const { steps, event } = moment
      signal?.throwIfAborted()
      if (event) server = await events[event](server)
      if (inTurn) for (const step of await stepsOf(moment)) await carryOut(step)
      else {
        const overtakes = steps.some(({ inFlight }) => inFlight)
        await Promise.all(steps.map(async (step) => {
          // What's overtaken has to be there first, on a new connection, too.
          if (overtakes && !step.inFlight) await sleep(aheadMs)
          await carryOut(step)
        }))
      }
      // A server that hangs would take seconds over every further step, and what it has missed is a difference already.
      if (server.hasExited() || steps.some((step) => isLate(outcomes.get(step)))) break
      if (onMoment?.(moment, { outcomes, done, server })) break
    }
  } finally {
    agent.destroy()
  }
  return { outcomes, done, server }
}

/** @param {Outcome | undefined} outcome */
export function isLate (outcome) {
  return Boolean(outcome && 'failure' in outcome && outcome.isLate)
}

/**
 * @param {Step} step
 * @param {{ server: Server, agent: http.Agent, answerOf: (step: Step) => Answer, done: Execution['done'], factor:
 *   number, signal?: AbortSignal }} on
 * @returns {Promise<Outcome>}
 */
async function outcomeOf (step, { server, agent, answerOf, done, factor, signal }) {
  const { asked, transport: { fresh, chunked, spaced } } = step
  const patient = async () => ({ ...server, patience: Math.min(1, factor) * await patienceToWait(server) })
  try {
    /** @type {Step[]} */
    const earlier = []
    const plain = typeof asked === 'function' ? asked((one) => answerOf(earlier[earlier.push(one) - 1])) : asked
    if (plain === null) return null
    done.set(step, plain)
    if ('act' in plain) {
      const noted = await soon(await patient(), plain.says, (to) => actOn(to, plain))
      done.set(step, { ...plain, ...noted })
      return null
    }
    if ('look' in plain) {
      return { seen: await soon(await patient(), plain.says, plain.look), says: plain.says }
    }
    const manner = plain.json === undefined && plain.body === undefined ? {} : { chunked, spaced }
    const sent = { ...manner, accepts: acceptsOf(step, plain, earlier.map((one) => done.get(one))), ...plain }
    done.set(step, sent)
    const request = { ...sent, ...fresh ? {} : { agent } }
    const ask = () => send(server.origin, request, timeFor(server, { factor, signal }))
    let answer = await ask()
    for (let tries = 1; step.operation.notNow?.(answer); tries++) {
      if (tries >= mostTries * factor * (server.patience ?? 1)) throw new LateError(`${answer.status}, again and again`)
      await sleep(pauseMs)
      answer = await ask()
    }
    return { answer }
  } catch (error) {
    if (error instanceof Unanswered) return null
    if (error instanceof ContractError) return { failure: error.message, isLate: error instanceof LateError }
    // What the server has laid there is in the way.
    if (error.syscall && `${error.path}`.startsWith(server.dataDir)) {
      return { failure: `${path.basename(error.path)} in its DATA_DIR can’t be used (${error.code})` }
    }
    throw error
  }
}

/**
 * A tag is that of one coding: who sends it accepts what was accepted when it came. Pure.
 *
 * @param {Step} step @param {Request} request
 * @param {(Plain | undefined)[]} earlier what the request is made of
 */
function acceptsOf ({ transport }, { headers = {} }, earlier) {
  const source = earlier.at(-1)
  const isConditional = Object.keys(headers).some((name) => /^if-(none-)?match$|^if-range$/i.test(name))
  return isConditional && source && !('says' in source) ? source.accepts : transport.accepts
}

/**
 * What a lesson does with its own clients ends as well.
 *
 * @template T
 * @param {Server} server @param {string} says @param {(server: Server) => Promise<T> | T} act
 * @returns {Promise<T>}
 */
async function soon (server, says, act) {
  const limitMs = ofSeveral * Number(timeFor(server).timeoutMs)
  const over = new AbortController()
  const late = sleep(limitMs, undefined, { signal: over.signal }).then(() => {
    throw new LateError(`${says}: not done after ${limitMs / 1000} s`)
  })
  return Promise.race([act(server), late]).finally(() => over.abort())
}

/**
 * Acts, and notes what it sets with the service behind the server: a learner can set the same.
 *
 * @param {Server} server @param {Perturbation} act @returns {Promise<Pick<Perturbation, 'faults'>>}
 */
async function actOn ({ origin, dataDir, upstream, patience }, { act }) {
  /** @type {Pick<Perturbation, 'faults'>} */
  const noted = {}
  const reset = async (/** @type {Fault[]} */ faults = []) => {
    noted.faults = faults
    await upstream?.reset(faults)
  }
  await act({ origin, dataDir, patience, upstream: upstream && { ...upstream, reset } })
  return noted
}

/**
 * Content that a strong ETag identified.
 * @typedef {{ coding: string, content: Buffer }} Tagged
 */

/**
 * The demands of HTTP on every answer, whatever a lesson is about. One observer sees all answers of one server, even
 * across restarts.
 *
 * @returns {(request: Request, answer: Answer, operation?: Pick<Operation, 'meaning'>) => string | null} a sentence
 *   about the answer
 */
export function createObserver () {
  /** @type {Map<string, Tagged>} by path and ETag */
  const tagged = new Map()
  /** The last JSON of each path: reading it again would show nothing new. @type {Map<string, Buffer>} */
  const read = new Map()
  return (request, answer, { meaning } = {}) => {
    return wrongBody(request, answer, read) ?? wrongEncoding(request, answer) ?? wrongCondition(request, answer) ??
      wrongTag(request, answer, { tagged, isMasked: meaning !== undefined }) ?? wrongVary(request, answer)
  }
}

/**
 * RFC 9110, 15.3.5 and 15.4.5; RFC 8259.
 *
 * @param {Request} request @param {Answer} answer @param {Map<string, Buffer>} read
 */
function wrongBody ({ method, path }, { status, headers, body }, read) {
  if ((status === 204 || status === 304 || method === 'HEAD') && body.length > 0) {
    return `an answer with status ${status} has no body, this one has ${body.length} bytes`
  }
  if (body.length === 0 || !/^application\/(.+\+)?json\b/i.test(headers['content-type'] ?? '')) return null
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity'
  const key = `${encoding} ${path}`
  if (read.get(key)?.equals(body)) return null
  try {
    JSON.parse(plainText(body, encoding))
    read.set(key, body)
    return null
  } catch (error) {
    return `it says that it is ${encoding === 'identity' ? '' : `${encoding} of `}JSON, and is not: ${error.message}`
  }
}

/** @param {Request} request @param {Answer} answer RFC 9110, 12.5.3 */
function wrongEncoding ({ headers: asked = {}, accepts }, { body, coding }) {
  const accepted = Object.entries(asked).find(([name]) => name.toLowerCase() === 'accept-encoding')?.[1] ?? accepts
  return body.length === 0 || coding.split(/\s*,\s*/).every((one) => isAcceptable(accepted, one))
    ? null
    : `its Content-Encoding is ${coding}, which the client does not accept`
}

/**
 * A cache in between would send what was compressed for one client to all others (RFC 9110, 12.5.5).
 *
 * @param {Request} request @param {Answer} answer
 */
function wrongVary ({ method = 'GET' }, { status, headers, coding }) {
  const { vary = '', 'cache-control': caching = '' } = headers
  const isKept = method === 'GET' && status === 200 && !/\b(no-store|private)\b/i.test(caching)
  return !isKept || coding === 'identity' || /(^|,)\s*(\*|accept-encoding)\s*(,|$)/i.test(vary)
    ? null
    : `its Content-Encoding is ${coding}, and Vary does not name Accept-Encoding`
}

/**
 * May a server send this content coding (RFC 9110, 12.5.3)? Without the header it may send any, and content as it is
 * always: a server may disregard the header. Pure.
 *
 * @param {string | undefined} accepted the value of Accept-Encoding @param {string} coding in lower case
 */
function isAcceptable (accepted, coding) {
  if (accepted === undefined || coding === 'identity') return true
  const said = new Map(accepted.toLowerCase().split(',').map((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim())
    const q = parameters.find((text) => text.startsWith('q='))
    return [plainName(name), q === undefined ? 1 : Number(q.slice(2))]
  }))
  return (said.get(plainName(coding)) ?? said.get('*') ?? 0) > 0
}

/** Recipients take the one for the other (RFC 9110, 8.4.1.3). @param {string} coding */
function plainName (coding) {
  return coding === 'x-gzip' ? 'gzip' : coding
}

/** @param {Request} request @param {Answer} answer RFC 9110, 13.1 */
function wrongCondition ({ headers: asked = {} }, { status, headers }) {
  if (status !== 304) return null
  const names = Object.fromEntries(Object.entries(asked).map(([name, value]) => [name.toLowerCase(), value]))
  const tags = names['if-none-match']
  if (tags === undefined) {
    return names['if-modified-since'] === undefined ? 'it answers 304 to a request without a condition' : null
  }
  if (headers.etag === undefined || tags.trim() === '*') return null
  const known = tags.split(/,(?=\s*(?:W\/)?")/).map((tag) => opaque(tag.trim()))
  return known.includes(opaque(headers.etag))
    ? null
    : `it answers 304 with the ETag ${headers.etag}, which isn’t one of those in the request`
}

/**
 * Equal strong tags mean equal bytes, so no two encodings share one, and equal weak ones the same values (RFC 9110,
 * 8.8.1 and 8.8.3.3). If a part of an answer may differ, the tag needn't identify that part.
 *
 * @param {Request} request @param {Answer} answer @param {{ tagged: Map<string, Tagged>, isMasked: boolean }} known
 */
function wrongTag ({ method = 'GET', path }, { status, headers, body, coding }, { tagged, isMasked }) {
  const { etag } = headers
  if (etag === undefined) return null
  if (!/^(W\/)?"[^"]*"$/.test(etag)) return `its ETag ${etag} is not quoted`
  if (status !== 200 || method !== 'GET') return null
  const now = { coding, content: plainBody({ headers, body }) }
  const key = `${path}\n${etag}`
  const before = tagged.get(key) ?? now
  tagged.set(key, before)
  const isWeak = etag.startsWith('W/')
  if (before.coding !== now.coding && !isWeak) {
    return `the strong ETag ${etag} came with ${before.coding} bytes and with ${now.coding} bytes`
  }
  const isSame = before.content.equals(now.content) || (isWeak && mayMeanTheSame(before.content, now.content))
  return isMasked || isSame ? null : `the ETag ${etag} came with two different answers`
}

/** What isn't JSON can't be told. @param {Buffer} one @param {Buffer} other RFC 9110, 8.8.1 */
function mayMeanTheSame (one, other) {
  try {
    return isDeepStrictEqual(JSON.parse(one.toString()), JSON.parse(other.toString()))
  } catch {
    return true
  }
}

/** @param {string} etag */
function opaque (etag) {
  return etag.replace(/^W\//, '')
}
