import { modelFault } from './model-fault.js'
import { difference } from './compare-answers.js'
import { createObserver } from './observe.js'
import { execute } from './execute.js'
import { shrink } from './shrink.js'
import { rules } from '../../model-rules.js'
import { brokenRule, tell } from './sequence-messages.js'

/**
 * @import { Server } from '../../session/index.js'
 * @import { Difference } from './compare-answers.js'
 * @import { Moment, Step } from './operation.js'
 * @import { Events, Execution } from './execute.js'
 * @import { Failure } from './sequence-messages.js'
 *
 * @typedef {object} Subject
 * @property {() => Promise<Server>} start a fresh one
 * @property {(server: Server) => Promise<void>} stop
 * @property {Events} events
 *
 * @typedef {{ step: Step, difference: Difference, isHttp: boolean }} Mismatch
 * @typedef {{ mismatch: Mismatch, done: Execution['done'], moments: Moment[], compressed: boolean }} Reproduction
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
    return mismatch && { mismatch, done: got.done, moments: some, compressed }
  }
  const seen = await attempt(moments, { baseline, yours })
  if (seen === null) return null
  if (shrinkMs === 0) return failureOf(seen)
  const until = Date.now() + shrinkMs
  const isLate = () => Date.now() > until
  const pair = { baseline: startedAhead(baseline), yours: startedAhead(yours) }
  const short = await shrink(upTo(moments, seen.mismatch.step), seen, (some) => attempt(some, pair, isLate), {
    mostTries,
    isLate
  }).finally(() => Promise.all([pair.baseline.close(), pair.yours.close()]))
  await requireAgreement(short.moments, { baseline, data, signal })
  // What no fresh server shows again has to do with the time that has passed.
  // What comes after the failing step has no part in it.
  const told = failureOf({ ...short.failure, moments: short.moments })
  return !isFresh && short.failure === seen ? { ...told, rule: rules.later } : told
}

/**
 * The same subject, whose next server starts while the last one is asked.
 *
 * @param {Subject} subject
 * @returns {Subject & { close: () => Promise<void> }}
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
 * What is asked at once may have happened in another order than the one that the slow server was asked in. Such moments
 * before the first difference are turned round, the last ones first, until the difference is gone or comes later, and
 * so on. Where there is no time to find out, what was seen counts for nothing.
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

/** @param {Moment[]} moments @param {Step} failing */
function upTo (moments, failing) {
  return moments.slice(0, placeOf(moments, failing) + 1)
}

/**
 * @param {Moment[]} moments
 * @param {{ baseline: Subject, data: any, signal?: AbortSignal }} on
 */
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
