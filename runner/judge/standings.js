import { mostRounds, targetOf } from './gate.js'
import { judgeRounds } from './judge-rounds.js'

/**
 * The state of the gates after the rounds so far. What was decided at an interim analysis stays decided.
 *
 * @import { Gate, Machine } from './gate-kinds.js'
 * @import { Round } from './judge-rounds.js'
 * @import { CoursePoint, GateResult, TierResult } from './record.js'
 */

/**
 * What was measured is rounds for a server, and whatever a lesson's own check makes of its figures.
 *
 * @template Measured
 * @typedef {object} GateStandings
 * @property {(measured: Measured, options?: { last?: boolean }) => GateResult[]} judge last: there will be no more
 * @property {(name: string, tier?: string) => boolean} isDecided
 * @property {() => boolean} hasFailed has a gate failed?
 */

/**
 * @typedef {(load: string, rounds: readonly Round[]) => boolean} IsOpen
 * @typedef {GateStandings<readonly Round[]> & { isOpen: IsOpen }} Standings isOpen: would another round of this load
 *   say something?
 */

/** Once a gate has passed, its higher tiers are not worth more rounds than this. */
const mostForTier = 10

/**
 * @template Measured
 * @param {readonly Gate[]} gates
 * @param {object} how
 * @param {(gate: Gate, measured: Measured, options: { last?: boolean }) => GateResult} how.judge a gate without tiers
 * @param {(gate: Gate, measured: Measured) => number | undefined} how.numberOf the last round of this gate
 * @returns {GateStandings<Measured>}
 */
export function createGateStandings (gates, { judge, numberOf }) {
  /** @type {Map<string, GateResult>} */
  const decided = new Map()
  /** By gate. @type {Map<string, CoursePoint[]>} */
  const courses = new Map()
  const keyOf = (/** @type {string} */ name, tier = '') => `${name}/${tier}`
  /** @param {Gate} gate @param {Measured} measured @param {{ last?: boolean }} options */
  const judgeTiers = (gate, measured, options) => tiersOf(gate).map(({ tier, gate: one }) => {
    const key = keyOf(gate.name, tier)
    const result = decided.get(key) ?? judge(one, measured, options)
    if (result.verdict === 'pass' || result.verdict === 'fail') decided.set(key, result)
    return { tier, result }
  })
  return {
    judge: (measured, options = {}) => gates.map((gate) => {
      const result = mergeTiers(judgeTiers(gate, measured, options))
      const number = numberOf(gate, measured)
      if (number === undefined) return result
      const course = courseAfter(courses.get(gate.name) ?? [], number, result)
      courses.set(gate.name, course)
      return { ...result, course }
    }),
    isDecided: (name, tier) => decided.has(keyOf(name, tier)),
    hasFailed: () => gates.some((gate) => decided.get(keyOf(gate.name, tiersOf(gate)[0].tier))?.verdict === 'fail')
  }
}

/**
 * A gate with tiers is judged as one gate for each tier; the lowest is the pass line. Pure.
 *
 * @param {Gate} gate
 * @returns {{ tier: string, gate: Gate }[]} from the lowest; the gate itself where it has no tiers
 */
export function tiersOf (gate) {
  if (!gate.tiers) return [{ tier: '', gate }]
  const { tiers, ...rest } = gate
  return Object.entries(tiers).map(([tier, target]) => ({ tier, gate: { ...rest, target } }))
}

/**
 * One result for the whole gate: that of the lowest tier, with what is known of the others.
 *
 * @param {readonly { tier: string, result: GateResult }[]} results from the lowest
 * @returns {GateResult}
 */
export function mergeTiers (results) {
  const { result } = results[0]
  if (results.length === 1) return result
  // The tier that was looked at last has seen the most rounds.
  const { baseline, yours, ratio, interval95, interval, rounds } = results
    .map((each) => each.result)
    .reduce((most, each) => (each.rounds > most.rounds ? each : most))
  let reached = true
  /** @type {TierResult[]} */
  const tiers = results.map(({ tier, result: { target, verdict } }) => {
    // A tier that wasn't reached rules out those above it.
    reached &&= verdict === 'pass'
    const shown = reached ? 'pass' : verdict === 'fail' ? 'fail' : 'inconclusive'
    return { name: tier, target: target ?? NaN, verdict: shown }
  })
  return { ...result, baseline, yours, ratio, interval95, interval, rounds, tiers }
}

/** @param {{ gates: Gate[] }} lesson @param {Machine} machine @returns {Standings} */
export function createStandings ({ gates }, machine) {
  const standings = createGateStandings(gates, {
    judge: (gate, /** @type {readonly Round[]} */ rounds, options) => judgeRounds(gate, machine, rounds, options),
    numberOf: (gate, rounds) => rounds.findLast(({ result: { load } }) => load === gate.load)?.result.number
  })
  return {
    ...standings,
    isOpen: (load, rounds) => {
      const counted = rounds.filter((round) => round.result.load === load && !round.disturbed).length
      if (counted >= mostRounds) return false
      return gates.filter((gate) => gate.load === load && targetOf(gate, machine) !== undefined).some((gate) =>
        tiersOf(gate).some(({ tier }, at) =>
          !standings.isDecided(gate.name, tier) && (at === 0 || counted < mostForTier)))
    }
  }
}

/**
 * A gate's state after each round, with the newest one added. For two states after the same round, the later
 * counts; a round that changed nothing is left out. Pure.
 *
 * @param {readonly CoursePoint[]} course
 * @param {number} round its number
 * @param {Pick<GateResult, 'ratio' | 'interval95'>} gate its state after the round
 * @returns {CoursePoint[]}
 */
export function courseAfter (course, round, { ratio, interval95 }) {
  if (ratio === null) return [...course]
  const former = course.filter((point) => point.round < round)
  const last = former.at(-1)
  /** @type {CoursePoint} */
  const point = {
    round,
    ratio: shorten(ratio),
    interval95: interval95 && [shorten(interval95[0]), shorten(interval95[1])]
  }
  const isSame = last && last.ratio === point.ratio && String(last.interval95) === String(point.interval95)
  return isSame ? former : [...former, point]
}

/** As many digits as are ever shown: it is sent after each round. @param {number} value */
function shorten (value) {
  return Number(value.toPrecision(5))
}
