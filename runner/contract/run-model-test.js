import { isDeepStrictEqual } from 'node:util'
import { rules } from '../shared/model-rules.js'
import { difference } from './compare-answers.js'
import { createObserver, execute } from './execute.js'
import { brokenRule, tell } from './sequence-messages.js'

/**
 * @import { Server } from '../process/index.js'
 * @import { Difference } from './compare-answers.js'
 * @import { Events, Execution } from './execute.js'
 * @import { Moment, Step } from './operation.js'
 * @import { Failure } from './sequence-messages.js'
 *
 * @typedef {object} Subject
 * @property {() => Promise<Server>} start a fresh one
 * @property {(server: Server) => Promise<void>} stop
 * @property {Events} events
 *
 * @typedef {{ step: Step, difference: Difference, isHttp: boolean }} Mismatch
 * @typedef {Pick<Execution, 'done' | 'outcomes'> & { mismatch: Mismatch, moments: Moment[], compressed: boolean
 *   }} Reproduction
 */

/** Moments at which several things were asked at once may have happened in any order: so many before a difference … */
const mostFlips = 3
/** … and so often in all. */
const mostReplays = 12
const mostTries = 60
const defaultShrinkMs = 2000

/** The slow server does not agree with itself: our fault, not the submission's. */
export class BaselineError extends Error {}

/**
 * A sequence is asked of the slow server and of the submission, each fresh, and what they answer is compared.
 *
 * @param {Moment[]} moments
 * @param {object} options
 * @param {Subject} options.baseline
 * @param {Subject} options.yours
 * @param {any} options.data
 * @param {boolean} [options.compressed] take compressed answers, as browsers do
 * @param {boolean} [options.isFresh] false: the first two servers have been running for a while
 * @param {number} [options.shrinkMs] how long it may take to make a failure short; 0: it is told as it was seen
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<Failure | null>}
 * @throws {BaselineError} the slow server doesn't agree with itself, or with the lesson's model: the fault is not the
 *   submission's
 */
export async function runModelTest (moments, options) {
  const { baseline, yours, data, compressed = false, isFresh = true, shrinkMs = defaultShrinkMs, signal } = options
  /** @param {Moment[]} some @param {{ baseline: Subject, yours: Subject }} pair @param {() => boolean} [isLate] */
  const attempt = async (some, pair, isLate = () => false) => {
    const [expected, got] = await Promise.all([
      executeOn(pair.baseline, some, { inTurn: true, compressed, signal }),
      executeOn(pair.yours, some, { compressed, signal })
    ])
    // Once is enough: shrinking asks parts of the same.
    const fault = some === moments ? modelFault(some, expected, data) : null
    if (fault !== null) throw new BaselineError(fault)
    const first = firstMismatch(some, expected, got, data)
    const on = { baseline: pair.baseline, data, compressed, signal, isLate }
    const mismatch = first && await findLinearization(some, first, got, on)
    return mismatch && { mismatch, done: got.done, outcomes: got.outcomes, moments: some, compressed }
  }
  const seen = await attempt(moments, { baseline, yours })
  if (seen === null) return null
  if (shrinkMs === 0) return failureOf(seen)
  const until = Date.now() + shrinkMs
  const isLate = () => Date.now() > until
  const pair = { baseline: startedAhead(baseline), yours: startedAhead(yours) }
  // Moments after the failing step have no part in it.
  const upToFailure = moments.slice(0, placeOf(moments, seen.mismatch.step) + 1)
  const tryOut = (/** @type {Moment[]} */ some) => attempt(some, pair, isLate)
  const short = await shortest(upToFailure, seen, tryOut, { mostTries, isLate })
    .finally(() => Promise.all([pair.baseline.close(), pair.yours.close()]))
  await requireAgreement(short.moments, { baseline, data, signal })
  const told = failureOf({ ...short.failure, moments: short.moments })
  // A failure that no fresh server shows again has to do with the time that has passed.
  return !isFresh && short.failure === seen ? { ...told, rule: rules.later } : told
}

/**
 * What the last request shows alone, or only with those whose answers it's made of, is told as that: whatever else was
 * asked has no part in it. It's tried however little time is left.
 *
 * @param {Moment[]} moments
 * @param {Reproduction} seen
 * @param {(moments: Moment[]) => Promise<Reproduction | null>} tryOut
 * @param {Parameters<typeof shrink>[3]} bounds
 */
async function shortest (moments, seen, tryOut, bounds) {
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
 * The same subject, whose next server starts while the last one is asked.
 *
 * @param {Subject} subject @returns {Subject & { close: () => Promise<void> }}
 */
function startedAhead (subject) {
  const startNext = () => {
    const starting = subject.start()
    // A failure is seen where it is awaited.
    starting.catch(() => {})
    return starting
  }
  let next = startNext()
  return {
    ...subject,
    start: () => {
      const started = next
      next = startNext()
      return started
    },
    close: () => next.then(subject.stop, () => {})
  }
}

/** Every rule that a sequence puts to the test. Pure. @param {Moment[]} moments @returns {string[]} */
export function rulesOf (moments) {
  const operations = moments.flatMap(({ steps }) => steps.map(({ operation }) => operation))
  const events = moments.map(({ event }) => event)
  return [...new Set([
    ...operations.map(({ rule }) => rule),
    ...operations.flatMap(({ effect }) => effect ?? []),
    ...(events.includes('restart') ? [rules.restart] : []),
    ...(events.includes('load') ? [rules.load] : []),
    ...(moments.some(({ steps }) => steps.length > 1) ? [rules.together] : []),
    rules.again,
    rules.http
  ])]
}

/**
 * @param {Subject} subject
 * @param {Moment[]} moments
 * @param {{ inTurn?: boolean, compressed?: boolean, signal?: AbortSignal }} how
 * @returns {Promise<Execution>}
 */
async function executeOn ({ start, stop, events }, moments, how) {
  /** @type {Server | undefined} */
  let server
  try {
    server = await start()
    const played = await execute(moments, { ...how, server, events })
    server = played.server
    return played
  } finally {
    if (server) await stop(server)
  }
}

/**
 * @param {Moment[]} moments
 * @param {Execution} expected
 * @param {Execution} got
 * @param {any} data
 * @returns {Mismatch | null}
 */
export function firstMismatch (moments, expected, got, data) {
  const observers = { baseline: createObserver(), yours: createObserver() }
  for (const step of moments.flatMap(({ steps }) => steps)) {
    const [baseline, yours] = [expected.outcomes.get(step) ?? null, got.outcomes.get(step) ?? null]
    const found = difference(step.operation, data, baseline, yours)
    if (found) return { step, difference: found, isHttp: false }
    const request = got.done.get(step)
    if (!request || 'says' in request || !yours || !('answer' in yours)) continue
    const said = observers.yours(request, yours.answer, step.operation)
    const baselineSaid = baseline && 'answer' in baseline
      ? observers.baseline(request, baseline.answer, step.operation)
      : null
    if (said === null || baselineSaid !== null) continue
    return { step, difference: { what: 'the answer', expected: 'what HTTP requires', got: said }, isHttp: true }
  }
  return null
}

/**
 * Steps that are taken at once may have happened in another order than the one that the slow server was asked in. Such
 * moments before the first difference are turned round, the last ones first, until the difference is gone or comes
 * later, and so on. Where there is no time to find out, what was seen counts for nothing.
 *
 * @param {Moment[]} moments
 * @param {Mismatch} first
 * @param {Execution} got
 * @param {{ baseline: Subject, data: any, compressed: boolean, signal?: AbortSignal, isLate: () => boolean }} on
 * @returns {Promise<Mismatch | null>} the first one that no order explains
 */
async function findLinearization (moments, first, got, { baseline, data, compressed, signal, isLate }) {
  const mismatchIn = async (/** @type {Moment[]} */ some) => {
    return firstMismatch(some, await executeOn(baseline, some, { inTurn: true, compressed, signal }), got, data)
  }
  let ordered = moments
  let mismatch = first
  for (let replays = 0, flips = 1; replays < mostReplays; replays++, flips++) {
    const at = placeOf(ordered, mismatch.step)
    const together = ordered.slice(0, at + 1).filter(({ steps }) => steps.length > 1).slice(-mostFlips).reverse()
    if (flips === 2 ** together.length) return mismatch
    if (isLate()) return null
    const flipped = together.filter((_, bit) => flips & 1 << bit)
    const turned = ordered.map((moment) => {
      return flipped.includes(moment) ? { ...moment, steps: [...moment.steps].reverse() } : moment
    })
    if (await mismatchIn(turned.slice(0, at + 1)) !== null) continue
    const next = await mismatchIn(turned)
    if (next === null) return null
    ordered = turned
    mismatch = next
    flips = 0
  }
  return mismatch
}

/** @param {Moment[]} moments @param {Step} step */
function placeOf (moments, step) {
  return moments.findIndex(({ steps }) => steps.includes(step))
}

/** @param {Moment[]} moments @param {{ baseline: Subject, data: any, signal?: AbortSignal }} on */
async function requireAgreement (moments, { baseline, data, signal }) {
  const [one, other] = await Promise.all([1, 2].map(() => executeOn(baseline, moments, { inTurn: true, signal })))
  const mismatch = firstMismatch(moments, one, other, data)
  if (mismatch === null) return
  const { step: { name }, difference: { what, expected, got } } = mismatch
  throw new BaselineError(`The slow server contradicts itself about ${name}: ${what}: ${expected}, then ${got}`)
}

/** @param {Reproduction} shown @returns {Failure} */
function failureOf ({ mismatch: { step, difference, isHttp }, done, moments, compressed }) {
  return tell(moments, done, step, difference, isHttp ? rules.http : brokenRule(moments, step), { compressed })
}

/** Comparing large answers takes its time, and a wrong model shows in most of them. */
const longestMs = 100

/**
 * Where a lesson has its own model, which judges answers under load: does the slow server agree with it? Only up
 * to the first event, since what survives a restart is no affair of the model. Pure but for the clock.
 *
 * @param {readonly Moment[]} moments carried out in turn
 * @param {Pick<Execution, 'outcomes'>} execution on the slow server
 * @param {any} data
 * @returns {string | null} a sentence for the author
 */
export function modelFault (moments, { outcomes }, data) {
  const until = performance.now() + longestMs
  /** @type {Step[]} */
  const accepted = []
  for (const { steps, event } of moments) {
    if (event || performance.now() > until) return null
    for (const step of steps) {
      const outcome = outcomes.get(step)
      if (!outcome || !('answer' in outcome)) continue
      const wrong = step.operation.expects?.(step, outcome.answer, { data, accepted }) ?? null
      if (wrong !== null) return `the lesson’s model disagrees with the slow server at “${step.name}”: ${wrong}`
      if (outcome.answer.status < 400) accepted.push(step)
    }
  }
  return null
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
