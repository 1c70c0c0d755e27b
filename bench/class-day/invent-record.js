import { decide, judgeGate, kindOf, mergeTiers, newEvidence, sentRecord, tiersOf } from '../../runner/judge/index.js'

/**
 * The record of an invented check: invented rounds, judged by the real judge. Pure.
 *
 * @import { Gate, GateResult, Observation, SentRecord } from '../../runner/judge/index.js'
 * @import { Random } from '../../runner/shared/random.js'
 * @import { Outcome } from './invent-day.js'
 *
 * @typedef {{ id: string, number: number, title: string, checks: string[], gates: Gate[] }} Lesson
 */

const rounds = 12
/** Standard deviation of a round's log ratio: on a good machine, and where it is too close to call. */
const [quiet, noisy] = [0.05, 0.4]
const notReached = 0.45
const noLoad = { errors: 0, non2xx: 0, mismatches: 0, disturbedRounds: 0, problems: [] }

/**
 * @param {object} given
 * @param {Lesson} given.lesson
 * @param {Outcome} given.outcome
 * @param {SentRecord['machine']} given.machine
 * @param {string} given.startedAt ISO 8601
 * @param {number} given.durationMs
 * @param {Random} given.random
 * @returns {SentRecord}
 */
export function inventRecord ({ lesson, outcome, machine, startedAt, durationMs, random }) {
  const { id, number, title, checks } = lesson
  const contract = checks.map((name) => /** @type {const} */ ({
    name,
    when: 'before',
    status: outcome.type === 'wrong' && name === outcome.check ? 'fail' : 'pass',
    message: ''
  }))
  // A server with wrong answers is not measured.
  const measured = outcome.type === 'wrong' ? [] : lesson.gates
  const gates = measured.map((gate) => inventGate({ gate, outcome, cores: machine.cores, random }))
  const { verdict } = decide({ ...newEvidence(), contract, gates })
  const load = { ...noLoad, requests: measured.length * 4000, generatorBusy: 0.4 }
  const made = { version: 1, seed: 'simulated', startedAt, durationMs }
  return sentRecord(/** @type {any} */ ({
    ...made, lesson: { id, number, title }, verdict, contract, gates, load, machine
  }))
}

/** @param {{ gate: Gate, outcome: Outcome, cores: number, random: Random }} given @returns {GateResult} */
function inventGate ({ gate, outcome, cores, random }) {
  const reach = outcome.type === 'pass'
    ? outcome.reach
    : outcome.type === 'slow' && outcome.gate === gate.name ? notReached : outcome.type === 'close' ? 1.05 : 1.8
  const machine = { cores, tellsUse: true }
  const one = tiersOf(gate)
  // All tiers see the same rounds.
  const spread = outcome.type === 'close' ? noisy : quiet
  const observations = inventRounds({ gate: one[0].gate, reach, cores, random, spread })
  const result = mergeTiers(one.map(({ tier, gate: each }) =>
    ({ tier, result: judgeGate(each, machine, observations, { last: true }) })))
  const share = 0.35 + 0.5 * random.next()
  return { ...result, limit: kindOf(gate.kind).hasLimit && result.yours !== null ? result.yours / share : null }
}

/**
 * @param {{ gate: Gate, reach: number, cores: number, random: Random, spread: number }} given reach: multiple of the
 *   target
 * @returns {Observation[]}
 */
function inventRounds ({ gate, reach, cores, random, spread }) {
  const kind = kindOf(gate.kind)
  const target = (typeof gate.target === 'function' ? gate.target({ cores }) : gate.target) ?? 1
  const ratio = kind.bounded
    ? 1 + (target - 1) / (reach > 1 ? 3 * reach : reach)
    : kind.direction === 'at most' ? target / reach : target * reach
  const baseline = 300 + 200 * random.next()
  return Array.from({ length: rounds }, (_, at) => {
    const noise = Math.exp((kind.bounded ? spread / 10 : spread) * 2 * gaussian(random))
    // Twins are better the closer they are.
    const round = kind.scatter ? ratio ** (at % 2 === 0 ? 1 : -1) : ratio * noise
    const ways = [baseline * round, baseline / round, round].map((yours) => ({ baseline, yours, seconds: 0.5 }))
    return ways.find((way) => Math.abs(kind.ratio(way) / round - 1) < 1e-9) ?? ways[0]
  })
}

/** Nearly Gaussian: a sum of three. @param {Random} random @returns {number} mean 0, standard deviation 0.5 */
function gaussian (random) {
  return random.next() + random.next() + random.next() - 1.5
}
