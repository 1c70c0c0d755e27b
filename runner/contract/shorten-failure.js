import { isDeepStrictEqual } from 'node:util'
import { rules } from '../shared/model-rules.js'
import { bodyOf, isInParts } from './client.js'
import { brief, isAnyOrder, usualCodings } from './operation.js'

/**
 * A sequence that has failed is made short, and told as a learner can repeat it.
 *
 * @import { Fault } from '../process/index.js'
 * @import { Request } from './client.js'
 * @import { Execution } from './execute.js'
 * @import { Difference, Moment, Plain, Step } from './operation.js'
 *
 * @typedef {{ step: Step, difference: Difference, isHttp: boolean, isLate?: boolean }} Mismatch isLate: yours was
 * @typedef {Pick<Execution, 'done' | 'outcomes'> & { mismatch: Mismatch, moments: Moment[] }} Reproduction
 *
 * A sequence that breaks a rule, as a learner can repeat it.
 * @typedef {object} Failure
 * @property {string} rule as in “your server …”
 * @property {string} of the rule of the operation whose answer was wrong
 * @property {string} message one sentence
 * @property {string[]} requests as lines for a shell, in their order
 * @property {number} [at] so many moments of the whole sequence were right before it
 */

/**
 * What the last request shows alone, or only with those whose answers it's made of, is told as that: whatever else was
 * asked has no part in it. It's tried however little time is left.
 *
 * @param {Moment[]} moments
 * @param {Reproduction} seen
 * @param {(moments: Moment[]) => Promise<Reproduction | null>} tryOut
 * @param {Parameters<typeof shrink>[3]} bounds
 */
export async function shortest (moments, seen, tryOut, bounds) {
  const { mismatch: { step, difference }, done, outcomes } = seen
  const asked = done.get(step)
  if (asked === undefined || moments.length < 2) return shrink(moments, seen, tryOut, bounds)
  const alone = [{ steps: [{ ...step, asked }] }]
  const ofAlone = await tryOut(alone)
  if (ofAlone && isDeepStrictEqual(ofAlone.mismatch.difference, difference)) return { moments: alone, failure: ofAlone }
  const needed = restingOn(step, outcomes).map((one) => ({ steps: [one] }))
  const ofNeeded = needed.length > 1 ? await tryOut(needed) : null
  return ofNeeded?.mismatch.step === step
    ? shrink(needed, ofNeeded, tryOut, bounds)
    : shrink(moments, seen, tryOut, bounds)
}

/**
 * A step after those whose answers its request is made of.
 *
 * @param {Step} step @param {Execution['outcomes']} outcomes
 */
function restingOn (step, outcomes) {
  /** @type {Set<Step>} */
  const found = new Set([step])
  for (const { asked } of found) {
    if (typeof asked !== 'function') continue
    try {
      asked((earlier) => {
        found.add(earlier)
        const outcome = outcomes.get(earlier)
        if (outcome && 'answer' in outcome) return outcome.answer
        throw new Error('it had no answer')
      })
    } catch {}
  }
  return [...found].sort((a, b) => a.id - b.id)
}

/**
 * The few moments of a sequence that still show a failure: parts are left out, larger ones first, for as long as it
 * fails without them. Delta debugging: Zeller and Hildebrandt, Simplifying and isolating failure-inducing input, IEEE
 * Transactions on Software Engineering 28 (2002).
 *
 * @template Failure
 * @param {Moment[]} moments
 * @param {Failure} failure of all of them
 * @param {(moments: Moment[]) => Promise<Failure | null>} tryOut null: these do not fail
 * @param {{ mostTries: number, isLate?: () => boolean }} bounds
 * @returns {Promise<{ moments: Moment[], failure: Failure }>}
 */
export async function shrink (moments, failure, tryOut, { mostTries, isLate = () => false }) {
  let tries = 0
  const mayTry = () => tries < mostTries && !isLate()
  /** @param {Moment[]} fewer */
  const failsToo = async (fewer) => {
    const isLess = fewer.length < moments.length || stepsOf(fewer) < stepsOf(moments)
    if (fewer.length === 0 || !isLess) return false
    tries++
    const still = await tryOut(fewer)
    if (still === null) return false
    moments = fewer
    failure = still
    return true
  }
  // Events cost most, and a failure that needs none is the plainest.
  if (mayTry()) await failsToo(moments.filter(({ event }) => event === undefined))
  // The last moments alone are often enough.
  for (const count of [2, 4]) if (mayTry() && await failsToo(moments.slice(-count))) break
  for (let size = Math.ceil(moments.length / 2); mayTry();) {
    const before = moments.length
    for (let from = 0; from < moments.length && mayTry();) {
      if (!await failsToo([...moments.slice(0, from), ...moments.slice(from + size)])) from += size
    }
    if (size === 1 && moments.length === before) break
    size = Math.max(1, Math.min(Math.floor(size / 2), Math.ceil(moments.length / 2)))
  }
  for (let at = 0; at < moments.length; at++) {
    for (const step of moments[at].steps) {
      if (moments[at].steps.length < 2 || !mayTry()) break
      const alone = { ...moments[at], steps: moments[at].steps.filter((other) => other !== step) }
      await failsToo(moments.with(at, alone))
    }
  }
  return { moments, failure }
}

/** @param {Moment[]} moments */
function stepsOf (moments) {
  return moments.reduce((sum, { steps }) => sum + steps.length, 0)
}

/** A line that is longer is cut: what matters is mostly at its beginning. */
const mostOfBody = 300
/** A sequence that could not be made short is told by its end. */
const mostLines = 12

/**
 * Which rule does a sequence break that has been made as short as it can be? What it could not do without says it.
 * Pure.
 *
 * @param {Moment[]} moments @param {Step} failing
 */
export function brokenRule (moments, failing) {
  const before = moments.flatMap(({ steps }) => steps).filter((step) => step.id < failing.id)
  const writes = before.filter(({ operation }) => operation.effect !== undefined)
  if (moments.some(({ event }) => event === 'restart')) return rules.restart
  if (moments.some(({ event }) => event === 'load')) return rules.load
  if (moments.some(isAnyOrder)) return rules.together
  const [last] = writes.slice(-1)
  if (last?.operation.effect !== undefined) return last.operation.effect
  if (before.some(({ asked }) => asked === failing.asked)) return rules.again
  return failing.operation.rule
}

/**
 * @param {Moment[]} moments
 * @param {Map<Step, Plain>} done what was really asked
 * @param {Step} failing
 * @param {Difference} difference
 * @param {string} rule
 * @returns {Failure}
 */
export function tell (moments, done, failing, { what, expected, got }, rule) {
  const lines = moments.flatMap(({ steps, event }) => [
    ...(event ? [eventLines[event]] : []),
    ...steps.flatMap((step) => linesOf(step, done, steps.length > 1 ? ' &' : ''))
  ])
  const request = done.get(failing)
  const isRequest = request !== undefined && !('says' in request)
  const subject = isRequest ? `${request.method ?? 'GET'} ${brief(request.path)}: ` : ''
  const message = `${subject}yours differs from the slow server in ${what}: expected ${expected}, got ${got}`
  const hidden = Math.max(0, lines.length - mostLines)
  const shown = hidden > 1 ? [`# ${hidden} requests before these`, ...lines.slice(hidden)] : lines
  return { rule, of: failing.operation.rule, message, requests: shown }
}

const eventLines = {
  restart: '# stop the server, and start it again on the same data',
  load: '# from here on, the check sends many other requests at the same time',
  rest: '# all of those have been answered',
  pause: '# wait for some 20 seconds'
}

/** @param {Step} step @param {Map<Step, Plain>} done @param {string} end of a command @returns {string[]} */
function linesOf (step, done, end) {
  const plain = done.get(step)
  if (plain === undefined) return []
  if (!('says' in plain)) return [`${curl(plain)}${end}${isInParts(plain) ? ' # and its body comes in two parts' : ''}`]
  return [`# ${plain.says}`, ...('faults' in plain && plain.faults ? [faultLine(plain.faults)] : [])]
}

/** The same request for a shell. @param {Request} request */
export function curl (request) {
  const { method = 'GET', path, headers = {}, json, accepts } = request
  const isUsual = accepts === undefined || accepts === usualCodings
  const all = {
    ...(isUsual ? {} : { 'Accept-Encoding': accepts }),
    ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...headers
  }
  const text = bodyOf(request)?.toString()
  return [
    accepts === undefined ? 'curl -i' : 'curl -i --compressed',
    ...(method === 'GET' ? [] : [method === 'HEAD' ? '-I' : `-X ${method}`]),
    ...Object.entries(all).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(text === undefined ? [] : [`-d ${quote(text.length > mostOfBody ? `${text.slice(0, mostOfBody)}…` : text)}`]),
    quote(`http://127.0.0.1:PORT${path}`)
  ].join(' ')
}

/**
 * Sets what goes wrong with the service from then on, where `npm run serve` has started it.
 *
 * @param {readonly Fault[]} faults
 */
function faultLine (faults) {
  return `curl -d ${quote(JSON.stringify(faults))} 'http://127.0.0.1:FAULTS'`
}

/** For sh, as for every shell that knows single quotes. @param {string} text */
function quote (text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}
