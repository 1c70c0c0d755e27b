import { EventEmitter, once } from 'node:events'
import { sayLate, secondPatience } from '../process/index.js'
import { TooBusy } from '../shared/errors.js'
import { rules } from '../shared/model-rules.js'
import { createObserver, execute, isLate as wasLate } from './execute.js'
import { difference, isAnyOrder } from './operation.js'
import { brokenRule, shortest, tell } from './shorten-failure.js'

/**
 * The model test: a sequence is carried out on both servers and compared.
 *
 * @import { Server } from '../process/index.js'
 * @import { Events, Execution } from './execute.js'
 * @import { Moment, Step } from './operation.js'
 * @import { Failure, Mismatch, Reproduction } from './shorten-failure.js'
 *
 * @typedef {object} Subject
 * @property {() => Promise<Server>} start a fresh one
 * @property {(server: Server) => Promise<void>} stop
 * @property {Events} events
 * @property {<T>(act: () => Promise<T>) => Promise<T>} [waitFor] is told of what is waited for
 */

/** Moments at which several things were asked at once may have happened in any order: so many before a difference … */
const mostFlips = 3
/** … and so often in all. */
const mostReplays = 12
const mostTries = 60
const defaultShrinkMs = 2000
/** That an answer comes too late is settled before a failure is made short: then a shorter wait shows it as well. */
const briefPatience = 0.2

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
 * @param {boolean} [options.isFresh] false: the first two servers have been running for a while
 * @param {number} [options.shrinkMs] how long it may take to make a failure short; 0: it is told as it was seen
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<Failure | null>}
 * @throws {TooBusy} what came too late may be the fault of the machine
 * @throws {BaselineError} the slow server doesn't agree with itself, or with the lesson's model: the fault is not the
 *   submission's
 */
export async function runModelTest (moments, options) {
  const { baseline, yours, data, isFresh = true, shrinkMs = defaultShrinkMs, signal } = options
  /**
   * @param {Moment[]} some @param {{ baseline: Subject, yours: Subject }} pair
   * @param {{ isLate?: () => boolean, baselineFactor?: number, factor?: number }} [times] factor: so many times as
   *   patient as usual
   */
  const attempt = async (some, pair, { isLate = () => false, baselineFactor = 1, factor = 1 } = {}) => {
    const turns = createTurns()
    const stepsOf = factor > 1 ? undefined : turns.stepsOf
    const asked = executeOn(pair.baseline, some, { inTurn: true, stepsOf, factor: baselineFactor, signal })
    // More patience is of little use beside the other one.
    if (factor > 1) await asked
    const askedYours = executeOn(pair.yours, some, { onMoment: turns.note, factor, signal }).finally(turns.end)
    const [expected, got] = await Promise.all([asked, askedYours])
    // Once is enough: shrinking asks parts of the same.
    const asAsked = some.map(inOrderOf(expected))
    const fault = some === moments ? modelFault(asAsked, expected, data) : null
    if (fault !== null) throw new BaselineError(fault)
    const first = firstMismatch(some, expected, got, data)
    const on = { baseline: pair.baseline, data, signal, isLate }
    const mismatch = first?.isLate ? first : first && await findLinearization(asAsked, first, got, on)
    const shown = mismatch && { mismatch, done: got.done, outcomes: got.outcomes, moments: some }
    return { shown, lateSlow: lateIn(expected) }
  }
  const seen = await settled(moments, { pair: { baseline, yours }, isFresh, attempt })
  if (seen === null) return null
  const at = placeOf(moments, seen.mismatch.step)
  if (shrinkMs === 0) return { ...failureOf(seen), at }
  const until = Date.now() + shrinkMs
  const isLate = () => Date.now() > until
  const pair = { baseline: startedAhead(baseline), yours: startedAhead(yours) }
  // Moments after the failing step have no part in it.
  const upToFailure = moments.slice(0, at + 1)
  const factor = seen.mismatch.isLate ? briefPatience : 1
  const tryOut = async (/** @type {Moment[]} */ some) => {
    const { shown } = await attempt(some, pair, { isLate, baselineFactor: factor, factor })
    return Boolean(shown?.mismatch.isLate) === Boolean(seen.mismatch.isLate) ? shown : null
  }
  const short = await shortest(upToFailure, seen, tryOut, { mostTries, isLate })
    .finally(() => Promise.all([pair.baseline.close(), pair.yours.close()]))
  await requireAgreement(short.moments, { baseline, data, signal })
  const { mismatch } = short.failure
  // It was settled with longer waits than those that made it short.
  const isSame = mismatch.isLate && mismatch.step === seen.mismatch.step
  const told = failureOf({ ...short.failure, mismatch: isSame ? seen.mismatch : mismatch, moments: short.moments })
  // A failure that no fresh server shows again has to do with the time that has passed.
  return { ...told, at, ...!isFresh && short.failure === seen && { rule: rules.later } }
}

/**
 * What a sequence shows. What came too late is asked once more of fresh servers, of yours with more patience.
 *
 * @param {Moment[]} moments
 * @param {{ pair: { baseline: Subject, yours: Subject }, isFresh: boolean, attempt: (some: Moment[], pair: { baseline:
 *   Subject, yours: Subject }, times?: { factor?: number }) => Promise<{ shown: Reproduction | null, lateSlow: string |
 *   null }> }} given
 * @returns {Promise<Reproduction | null>}
 * @throws {TooBusy}
 */
async function settled (moments, { pair, isFresh, attempt }) {
  const first = await attempt(moments, pair)
  const isOpen = (/** @type {typeof first} */ { shown, lateSlow }) => shown?.mismatch.isLate ??
    (shown === null && lateSlow !== null)
  if (!isOpen(first)) return first.shown
  const second = await attempt(moments, pair, { factor: secondPatience })
  if (isOpen(second) && second.lateSlow !== null) throw new TooBusy(`the slow server was late: ${second.lateSlow}`)
  if (second.shown === null) {
    // Only the servers that had been running for a while were late, and they are gone.
    if (!isFresh && first.shown !== null) throw new TooBusy(`yours was late: ${first.shown.mismatch.difference.got}`)
    return null
  }
  const { mismatch } = second.shown
  if (!mismatch.isLate) return second.shown
  const difference = { ...mismatch.difference, got: sayLate(mismatch.difference.got) }
  return { ...second.shown, mismatch: { ...mismatch, difference } }
}

/** What the slow server didn't answer in time. @param {Execution} execution @returns {string | null} */
function lateIn ({ outcomes }) {
  const late = [...outcomes.values()].find(wasLate)
  return late && 'failure' in late ? late.failure : null
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

/**
 * Every rule that a sequence puts to the test. Pure.
 *
 * @param {Moment[]} moments
 * @param {{ isWhole?: boolean }} [options] false: its end, at which reads are repeated, wasn't reached
 * @returns {string[]}
 */
export function rulesOf (moments, { isWhole = true } = {}) {
  const operations = moments.flatMap(({ steps }) => steps.map(({ operation }) => operation))
  const events = moments.map(({ event }) => event)
  return [...new Set([
    ...operations.map(({ rule }) => rule),
    ...operations.flatMap(({ effect }) => effect ?? []),
    ...(events.includes('restart') ? [rules.restart] : []),
    ...(events.includes('load') ? [rules.load] : []),
    ...(moments.some(isAnyOrder) ? [rules.together] : []),
    ...isWhole ? [rules.again, rules.http] : []
  ])]
}

/**
 * @param {Subject} subject
 * @param {Moment[]} moments
 * @param {Omit<Parameters<typeof execute>[1], 'server' | 'events'>} how
 * @returns {Promise<Execution>}
 */
async function executeOn ({ start, stop, events, waitFor = (act) => act() }, moments, how) {
  return waitFor(async () => {
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
  })
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
    const found = step.inFlight ? null : difference(step.operation, data, baseline, yours)
    if (found) return { step, difference: found, isHttp: false, isLate: wasLate(yours) }
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
 * Steps that are taken at once most likely happened in the order of their responses: the slow server waits for that.
 *
 * @returns {{ note: (moment: Moment, execution: Pick<Execution, 'outcomes'>) => void, end: () => void, stepsOf:
 *   (moment: Moment) => Promise<Step[]> }} note: yours has had a moment; end: it gets no further; stepsOf: what to ask
 *   of the slow server, in turn
 */
export function createTurns () {
  /** @type {Map<Moment, Step[]>} */
  const responded = new Map()
  const over = new AbortController()
  const noted = new EventEmitter()
  return {
    note: (moment, execution) => {
      if (isAnyOrder(moment)) responded.set(moment, inOrderOf(execution)(moment).steps)
      noted.emit('moment')
    },
    end: () => over.abort(),
    stepsOf: async (moment) => {
      while (isAnyOrder(moment) && !responded.has(moment) && !over.signal.aborted) {
        await once(noted, 'moment', over).catch(() => {})
      }
      return responded.get(moment) ?? moment.steps
    }
  }
}

/**
 * Moments as they were carried out: outcomes are kept in the order in which they came. Pure.
 *
 * @param {Pick<Execution, 'outcomes'>} execution
 */
export function inOrderOf ({ outcomes }) {
  const places = new Map([...outcomes.keys()].map((step, at) => [step, at]))
  const placeIn = (/** @type {Step} */ step) => places.get(step) ?? places.size
  return (/** @type {Moment} */ moment) =>
    ({ ...moment, steps: moment.steps.toSorted((a, b) => placeIn(a) - placeIn(b)) })
}

/**
 * Steps that are taken at once may have happened in another order than the one that the slow server was asked in. Such
 * moments before the first difference are turned round, the last ones first, until the difference is gone or comes
 * later, and so on. Where there is no time to find out, what was seen counts for nothing.
 *
 * @param {Moment[]} moments
 * @param {Mismatch} first
 * @param {Execution} got
 * @param {{ baseline: Subject, data: any, signal?: AbortSignal, isLate: () => boolean }} on
 * @returns {Promise<Mismatch | null>} the first one that no order explains
 */
async function findLinearization (moments, first, got, { baseline, data, signal, isLate }) {
  const mismatchIn = async (/** @type {Moment[]} */ some) => {
    const expected = await executeOn(baseline, some, { inTurn: true, signal })
    const late = lateIn(expected)
    if (late !== null) throw new TooBusy(`the slow server was late: ${late}`)
    return firstMismatch(some, expected, got, data)
  }
  let ordered = moments
  let mismatch = first
  for (let replays = 0, flips = 1; replays < mostReplays; replays++, flips++) {
    const at = placeOf(ordered, mismatch.step)
    const together = ordered.slice(0, at + 1).filter(isAnyOrder).slice(-mostFlips).reverse()
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
  const [one, other] = await Promise.all([1, 2].map(() => {
    return executeOn(baseline, moments, { inTurn: true, factor: secondPatience, signal })
  }))
  const late = lateIn(one) ?? lateIn(other)
  if (late !== null) throw new TooBusy(`the slow server was late: ${late}`)
  const mismatch = firstMismatch(moments, one, other, data)
  if (mismatch === null) return
  const { step: { name }, difference: { what, expected, got } } = mismatch
  throw new BaselineError(`The slow server contradicts itself about ${name}: ${what}: ${expected}, then ${got}`)
}

/** @param {Reproduction} shown @returns {Failure} */
function failureOf ({ mismatch: { step, difference, isHttp }, done, moments }) {
  return tell(moments, done, step, difference, isHttp ? rules.http : brokenRule(moments, step))
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
