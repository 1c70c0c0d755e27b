import { percent } from '../../runner/shared/format.js'
import { kindOf, leadingGate, leadingReason, reachedTier } from '../../runner/judge/index.js'

/**
 * Reports as the room sees them: by seat and lesson, in the order in which they were made, whatever the order in
 * which they arrived. Pure.
 *
 * @import { SentRecord } from '../../runner/judge/index.js'
 * @import { Row } from '../queue/index.js'
 * @import { Report } from './store.js'
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

/** @param {Lessons} lessons changed @param {KnownReport} report */
export function addAttempt (lessons, report) {
  const attempts = lessons.get(report.lesson) ?? []
  // Within one seat its own clock tells the order.
  const at = attempts.findLastIndex(({ startedAt }) => startedAt <= report.startedAt)
  lessons.set(report.lesson, attempts.toSpliced(at + 1, 0, { ...report, at: madeAt(report) }))
}

/** @typedef {ReturnType<typeof standingOf>} Standing a seat's state in a lesson: once passed, it stays passed */

export const standingOf = memo((/** @type {readonly Attempt[]} */ attempts) => {
  const last = attempts[attempts.length - 1]
  const passes = attempts.filter(({ verdict }) => verdict === 'pass')
  const best = passes.reduce((one, other) => (other.ratio ?? 0) > (one?.ratio ?? -1) ? other : one,
    /** @type {Attempt | null} */ (null))
  // The ratio is that of the best pass, else of the last attempt.
  const { ratio, target, tier, source } = best ?? last
  return {
    state: best === null ? last.verdict : 'pass',
    attempts: attempts.length,
    ratio,
    target,
    tier,
    source,
    reason: best === null ? last.reason : null,
    distance: best === null ? last.distance : null,
    lastAt: last.at,
    passedAt: /** @type {number | null} */ (passes[0]?.at ?? null)
  }
})

/**
 * Derives something once from each list or object that never changes. Pure.
 *
 * @template {object} From
 * @template To
 * @param {(from: From) => To} derive
 * @returns {(from: From) => To}
 */
export function memo (derive) {
  /** @type {WeakMap<From, To>} */
  const known = new WeakMap()
  return (from) => {
    const found = known.get(from)
    if (found !== undefined) return found
    const derived = derive(from)
    known.set(from, derived)
    return derived
  }
}

/** The last of all lessons. @param {Lessons} lessons @returns {Attempt | undefined} */
export function lastOf (lessons) {
  return [...lessons.values()].flatMap((attempts) => attempts.at(-1) ?? []).sort((a, b) => b.at - a.at)[0]
}

/** @param {readonly Attempt[]} [attempts] */
export function hasPassed (attempts = []) {
  return attempts.some(({ verdict }) => verdict === 'pass')
}

/**
 * Learners with the same trouble are so far from the target of its gate.
 *
 * @typedef {object} Distance
 * @property {number} from the lowest ratio
 * @property {number} to the highest one
 * @property {number} target
 * @property {string} unit
 * @property {boolean} isAtMost the ratio must not exceed the target
 */

/** A greater ratio or target can't have been measured. */
const mostRatio = 1e6

/** @param {SentRecord['gates'][number]} [gate] @returns {Distance | null} null: figures missing or impossible */
export function distanceOf (gate) {
  if (gate === undefined) return null
  const { kind, ratio, target } = gate
  const areFigures = [ratio, target].every((one) => one !== null && one >= 0 && one <= mostRatio)
  if (ratio === null || target === null || !areFigures) return null
  const { ratioUnit, direction } = kindOf(kind)
  return { from: ratio, to: ratio, target, unit: ratioUnit, isAtMost: direction === 'at most' }
}

/** @param {readonly (Distance | null)[]} all @returns {Distance | null} null: their targets differ */
export function spanOf (all) {
  const known = all.flatMap((one) => one ?? [])
  const [first] = known
  const isOther = (/** @type {Distance} */ { target, unit }) => target !== first.target || unit !== first.unit
  if (first === undefined || known.some(isOther)) return null
  const [from, to] = [Math.min(...known.map((one) => one.from)), Math.max(...known.map((one) => one.to))]
  return { ...first, from, to }
}

/**
 * The room's facts about a check. They're derived from its record whenever that arrives or is read, so that an old room
 * learns new facts.
 *
 * @typedef {Omit<Report, 'record'> & ReturnType<typeof factsOf>} KnownReport
 */

/** No server beats the bare one; measurements err by a few per cent. */
const mostShare = 1.2
/** Of a lesson that is gone. */
const unknown = { checks: [], gates: [], tiers: [] }
/** More stolen time than this is too much for a check. */
const muchSteal = 0.05

/** @param {Report} report @param {readonly RoomLesson[]} lessons of the room @returns {KnownReport} */
export function knownOf ({ record, ...report }, lessons) {
  const sent = JSON.parse(record)
  const own = lessons.find(({ id }) => id === sent.lesson.id) ?? unknown
  return { ...report, ...factsOf(inKnownWords(sent, own)) }
}

/** @param {SentRecord} record in known words */
export function factsOf (record) {
  const { lesson, verdict, gates, machine } = record
  const gate = leadingGate(gates)
  const ratio = gate && gate.ratio !== null && gate.ratio <= mostRatio ? gate.ratio : null
  const [low, high] = gate?.interval95 ?? [null, null]
  const isWithin = ratio !== null && (low === null || high === null || (low <= ratio && ratio <= high))
  const { reason, gate: missed } = leadingReason(record)
  const share = gate?.limit && gate.yours !== null && verdict === 'pass' ? gate.yours / gate.limit : null
  return {
    lesson: lesson.id,
    verdict,
    /** Null: it passed. */
    reason,
    /** From the target of the gate that the reason is about. */
    distance: distanceOf(missed),
    /** Names of checks and gates. */
    failing: [
      ...record.contract.filter(({ status }) => status === 'fail'), ...gates.filter((one) => one.verdict === 'fail')
    ].map(({ name }) => name),
    /** Of the first gate, as its target, and low and high, 95 %. */
    ratio,
    target: distanceOf(gate)?.target ?? null,
    low,
    high,
    /** Of what this machine's bare server answers; null: missing or impossible. */
    share: share !== null && share > 0 && share <= mostShare && isWithin ? share : null,
    tier: reachedTier(gate),
    /** Sentences about the machine. */
    unfit: unfitOf(machine)
  }
}

/** @param {SentRecord['machine']} machine @returns {string[]} sentences */
function unfitOf ({ cores, steal, warnings }) {
  return [
    ...cores < 2 ? ['It has one core: the load generator and the server share it.'] : [],
    ...steal !== null && steal > muchSteal ? [`${percent(steal)} of its CPU time went to other machines.`] : [],
    ...warnings
  ]
}

/**
 * What the class has measured itself, apart from what learners' machines report.
 *
 * @typedef {{ isVerified: boolean, sandbox: string, fitness: string }} Graded isVerified: it ran in a sandbox;
 *   fitness: of the worker's machine, a sentence
 *
 * @typedef {Graded & { record: SentRecord, evidence: unknown }} Result as it is kept; evidence: the whole record
 *
 * @typedef {{ at: string, evidence: string }} Cheat at: ISO 8601
 *
 * @typedef {Omit<Row, 'result' | 'cheat'> & { graded: (Graded & { report: KnownReport }) | null,
 *   cheat: Cheat | null }} Submission
 */

/** Its files aren't kept in memory. @param {any} row @param {readonly RoomLesson[]} lessons @returns {Submission} */
export function submissionOf ({ files, result, cheat, ...row }, lessons) {
  const marked = cheat === null ? null : JSON.parse(cheat)
  if (result === null) return { ...row, graded: null, cheat: marked }
  const { record, isVerified, sandbox, fitness } = /** @type {Result} */ (JSON.parse(result))
  const at = new Date(row.gradedAt ?? 0).toISOString()
  const report = knownOf({
    seat: row.seat,
    id: `graded-${row.id}`,
    source: 'verified',
    startedAt: record.startedAt,
    sentAt: at,
    receivedAt: at,
    record: JSON.stringify(record)
  }, lessons)
  return { ...row, graded: { isVerified, sandbox, fitness, report }, cheat: marked }
}

/** Verified results, separate from reported ones. @param {Map<number, Submission>} submissions */
export function verifiedOf (submissions) {
  /** @type {Map<number, Lessons>} by seat */
  const seats = new Map()
  for (const one of submissions.values()) {
    if (!one.graded?.isVerified || one.cheat !== null) continue
    const lessons = seats.get(one.seat) ?? new Map()
    seats.set(one.seat, lessons)
    addAttempt(lessons, one.graded.report)
  }
  return seats
}

/**
 * A record is checked against the room's own lessons, so that nothing else reaches a wall: names of checks, gates and
 * tiers, and warnings of a machine.
 *
 * @typedef {object} RoomLesson
 * @property {string} id
 * @property {number} number
 * @property {string} title
 * @property {string[]} tiers from the lowest; may be empty
 * @property {string[]} checks names that its checks can have
 * @property {string[]} gates their names
 * @property {string | null} leading the gate whose ratio represents the lesson; null: no gate compares two servers
 */

/** The workshop's warnings, and what the room says instead. @type {[RegExp, (found: string) => string][]} */
const warnings = [
  [/^The CPU is set to save power/, () => 'Its CPU is set to save power.'],
  [/^This machine runs on its battery/, () => 'It runs on its battery.'],
  [/^This system lets us use (\d{1,4}(?:\.\d{1,4})?) CPUs?,/, (cpus) => `It may use ${cpus} CPUs, as in a container.`]
]

/**
 * @param {SentRecord} record
 * @param {Pick<RoomLesson, 'checks' | 'gates' | 'tiers'>} lesson
 * @returns {SentRecord} in which other names are `another check`, `another gate`, and other tiers are missing
 */
export function inKnownWords (record, { checks, gates, tiers }) {
  const named = (/** @type {string[]} */ known, /** @type {string} */ other) =>
    (/** @type {{ name: string }} */ { name }) => known.includes(name) ? name : other
  const [checkName, gateName] = [named(checks, 'another check'), named(gates, 'another gate')]
  return {
    ...record,
    contract: record.contract.map((check) => ({ ...check, name: checkName(check) })),
    gates: record.gates.map((gate) => ({
      ...gate,
      name: gateName(gate),
      tiers: gate.tiers?.filter(({ name }) => tiers.includes(name)) ?? null
    })),
    machine: { ...record.machine, warnings: [...new Set(record.machine.warnings.map(knownWarning))] }
  }
}

/** @param {string} warning */
function knownWarning (warning) {
  for (const [pattern, say] of warnings) {
    const found = pattern.exec(warning)
    if (found !== null) return say(found[1])
  }
  return 'It reports a warning that this room doesn’t know.'
}
