import { once } from './once.js'

/**
 * Reports as the room sees them: by seat and lesson, in the order in which they were made, whatever the order in
 * which they arrived. Pure.
 *
 * @import { Distance } from './distance.js'
 * @import { KnownReport } from './facts.js'
 *
 * @typedef {KnownReport & { at: number }} Attempt at: when it was made by our clock, as far as we can know, ms since
 *   1970
 * @typedef {Map<string, readonly Attempt[]>} Lessons by id, each in the order of their making, and never changed
 */

/** A check waits for the network for a week at most; a longer wait may be a lie. */
const longestMs = 7 * 86_400_000

/**
 * A wrong clock is just as wrong when it sends: the time between making and sending is right.
 *
 * @param {Pick<KnownReport, 'startedAt' | 'sentAt' | 'receivedAt' | 'source'>} report
 * @returns {number} ms since 1970, never after it was received
 */
export function madeAt ({ startedAt, sentAt, receivedAt, source }) {
  const [started, sent, received] = [startedAt, sentAt, receivedAt].map(Date.parse)
  // A file may travel for any length of time.
  const waited = Math.min(longestMs, Math.max(0, sent - started))
  return Math.min(received, source === 'imported' ? started : received - waited)
}

/**
 * @param {Lessons} lessons changed
 * @param {KnownReport} report
 */
export function addAttempt (lessons, report) {
  const attempts = lessons.get(report.lesson) ?? []
  // Within one seat its own clock tells the order.
  const at = attempts.findLastIndex(({ startedAt }) => startedAt <= report.startedAt)
  lessons.set(report.lesson, attempts.toSpliced(at + 1, 0, { ...report, at: madeAt(report) }))
}

/**
 * A seat's state in a lesson. Once passed, it stays passed.
 *
 * @typedef {object} Standing
 * @property {'pass' | 'fail' | 'inconclusive' | 'error'} state
 * @property {number} attempts
 * @property {number | null} ratio of the best pass, else of the last attempt
 * @property {number | null} target of that ratio
 * @property {string | null} tier
 * @property {string | null} reason of the last attempt, until it has passed
 * @property {Distance | null} distance of the last attempt, until it has passed
 * @property {number} lastAt ms since 1970
 * @property {number | null} passedAt of the first pass, ms since 1970
 * @property {Attempt['source']} source of that ratio
 */

/** @type {(attempts: readonly Attempt[]) => Standing} of at least one */
export const standingOf = once((attempts) => {
  const last = attempts[attempts.length - 1]
  const passes = attempts.filter(({ verdict }) => verdict === 'pass')
  const best = passes.reduce((one, other) => (other.ratio ?? 0) > (one?.ratio ?? -1) ? other : one,
    /** @type {Attempt | null} */ (null))
  return {
    state: best === null ? last.verdict : 'pass',
    attempts: attempts.length,
    ratio: (best ?? last).ratio,
    target: (best ?? last).target,
    tier: (best ?? last).tier,
    reason: best === null ? last.reason : null,
    distance: best === null ? last.distance : null,
    lastAt: last.at,
    passedAt: passes[0]?.at ?? null,
    source: (best ?? last).source
  }
})

/** The last of all lessons. @param {Lessons} lessons @returns {Attempt | undefined} */
export function lastOf (lessons) {
  return [...lessons.values()].flatMap((attempts) => attempts.at(-1) ?? []).sort((a, b) => b.at - a.at)[0]
}

/** @param {readonly Attempt[]} [attempts] */
export function hasPassed (attempts = []) {
  return attempts.some(({ verdict }) => verdict === 'pass')
}
