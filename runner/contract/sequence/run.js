import { MirrorError } from '../mirror.js'
import { difference } from './compare.js'
import { createObserver } from './observe.js'
import { play } from './play.js'
import { shrink } from './shrink.js'
import { brokenRule, rules, tell } from './tell.js'

/**
 * @import { Server } from '../../session/index.js'
 * @import { Difference } from './compare.js'
 * @import { Moment, Operation, Step } from './operation.js'
 * @import { Events, Played } from './play.js'
 * @import { Failure } from './tell.js'
 *
 * @typedef {object} Contestant
 * @property {() => Promise<Server>} start a fresh one
 * @property {(server: Server) => Promise<void>} stop
 * @property {Events} events
 *
 * @typedef {{ step: Step, difference: Difference, isHttp: boolean }} Mismatch
 * @typedef {{ mismatch: Mismatch, done: Played['done'], moments: Moment[], zipped: boolean }} Shown
 */

/** Moments at which several things were asked at once may have happened in any order: so many before a difference … */
const mostFlips = 3
/** … and so often in all. */
const mostReplays = 12
const mostTries = 60
const defaultShrinkMs = 2000

/**
 * A sequence is asked of the slow server and of the submission, each fresh, and what they answer is compared.
 *
 * @param {Moment[]} moments
 * @param {object} options
 * @param {Contestant} options.slow
 * @param {Contestant} options.yours
 * @param {any} options.data
 * @param {boolean} [options.zipped] take compressed answers, as browsers do
 * @param {boolean} [options.isFresh] false: the first two servers have been running for a while
 * @param {number} [options.shrinkMs] how long it may take to make a failure short; 0: it is told as it was seen
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<Failure | null>}
 * @throws {MirrorError} the slow server does not agree with itself: the fault is not the submission's
 */
export async function trySequence (moments, options) {
  const { slow, yours, data, zipped = false, isFresh = true, shrinkMs = defaultShrinkMs, signal } = options
  /** @param {Moment[]} some @param {{ slow: Contestant, yours: Contestant }} pair @param {() => boolean} [isLate] */
  const attempt = async (some, pair, isLate = () => false) => {
    const [expected, got] = await Promise.all([
      playOn(pair.slow, some, { inTurn: true, zipped, signal }),
      playOn(pair.yours, some, { zipped, signal })
    ])
    const first = firstMismatch(some, expected, got, data)
    const on = { slow: pair.slow, data, zipped, signal, isLate }
    const mismatch = first && await inAnyOrder(some, first, got, on)
    return mismatch && { mismatch, done: got.done, moments: some, zipped }
  }
  const seen = await attempt(moments, { slow, yours })
  if (seen === null) return null
  if (shrinkMs === 0) return failureOf(seen)
  const until = Date.now() + shrinkMs
  const isLate = () => Date.now() > until
  const pair = { slow: startedAhead(slow), yours: startedAhead(yours) }
  const short = await shrink(upTo(moments, seen.mismatch.step), seen, (some) => attempt(some, pair, isLate), {
    mostTries,
    isLate
  }).finally(() => Promise.all([pair.slow.close(), pair.yours.close()]))
  await requireAgreement(short.moments, { slow, data, signal })
  // What no fresh server shows again has to do with the time that has passed.
  // What comes after the failing step has no part in it.
  const told = failureOf({ ...short.failure, moments: short.moments })
  return !isFresh && short.failure === seen ? { ...told, rule: rules.later } : told
}

/**
 * The same contestant, whose next server starts while the last one is asked.
 *
 * @param {Contestant} contestant
 * @returns {Contestant & { close: () => Promise<void> }}
 */
function startedAhead (contestant) {
  const startNext = () => {
    const starting = contestant.start()
    // Whoever takes it hears of it.
    starting.catch(() => {})
    return starting
  }
  let next = startNext()
  return {
    ...contestant,
    start: () => {
      const started = next
      next = startNext()
      return started
    },
    close: () => next.then(contestant.stop, () => {})
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
 * @param {Contestant} contestant
 * @param {Moment[]} moments
 * @param {{ inTurn?: boolean, zipped?: boolean, signal?: AbortSignal }} how
 * @returns {Promise<Played>}
 */
async function playOn ({ start, stop, events }, moments, how) {
  /** @type {Server | undefined} */
  let server
  try {
    server = await start()
    const played = await play(moments, { ...how, server, events })
    server = played.server
    return played
  } finally {
    if (server) await stop(server)
  }
}

/**
 * @param {Moment[]} moments
 * @param {Played} expected
 * @param {Played} got
 * @param {any} data
 * @returns {Mismatch | null}
 */
function firstMismatch (moments, expected, got, data) {
  const observers = { slow: createObserver(), own: createObserver() }
  for (const step of moments.flatMap(({ steps }) => steps)) {
    const [slow, own] = [expected.outcomes.get(step) ?? null, got.outcomes.get(step) ?? null]
    const found = difference(step.operation, data, slow, own)
    if (found) return { step, difference: found, isHttp: false }
    const request = got.done.get(step)
    if (!request || 'says' in request || !own || !('answer' in own)) continue
    const said = observers.own(request, own.answer, step.operation)
    const slowSaid = slow && 'answer' in slow ? observers.slow(request, slow.answer, step.operation) : null
    if (said === null || slowSaid !== null) continue
    return { step, difference: { what: 'the answer', expected: 'what HTTP requires', got: said }, isHttp: true }
  }
  return null
}

/**
 * What is asked at once may have happened in another order than the one that the slow server was asked in. Such moments
 * before the first difference are turned round, the last ones first, until there is none or a later one, and so on.
 * Where there is no time to find out, what was seen counts for nothing.
 *
 * @param {Moment[]} moments
 * @param {Mismatch} first
 * @param {Played} got
 * @param {{ slow: Contestant, data: any, zipped: boolean, signal?: AbortSignal, isLate: () => boolean }} on
 * @returns {Promise<Mismatch | null>} the first one that no order explains
 */
async function inAnyOrder (moments, first, got, { slow, data, zipped, signal, isLate }) {
  const mismatchIn = async (/** @type {Moment[]} */ some) => {
    return firstMismatch(some, await playOn(slow, some, { inTurn: true, zipped, signal }), got, data)
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
 * @param {{ slow: Contestant, data: any, signal?: AbortSignal }} on
 */
async function requireAgreement (moments, { slow, data, signal }) {
  const [one, other] = await Promise.all([1, 2].map(() => playOn(slow, moments, { inTurn: true, signal })))
  const mismatch = firstMismatch(moments, one, other, data)
  if (mismatch === null) return
  const { step: { name }, difference: { what, expected, got } } = mismatch
  throw new MirrorError(`The slow server does not agree with itself about ${name}: ${what}: ${expected}, then ${got}`)
}

/** @param {Shown} shown @returns {Failure} */
function failureOf ({ mismatch: { step, difference, isHttp }, done, moments, zipped }) {
  return tell(moments, done, step, difference, isHttp ? rules.http : brokenRule(moments, step), { zipped })
}
