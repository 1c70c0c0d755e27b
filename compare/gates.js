import { WorkshopError } from '../runner/shared/errors.js'
import { createGateStandings, isInterim, judgePairs, judgeRounds, targetOf } from '../runner/judge/index.js'
import { nearest } from '../runner/shared/rules.js'
import lesson from './lesson.js'

/**
 * The gates of a comparison: which there are, and when enough is known of each. With a target, a gate is decided as in
 * a lesson. Without, the question is how much, so it stays open until its interval is narrow enough.
 *
 * @import { Gate, GateResult, Machine, Round, Standings } from '../runner/judge/index.js'
 * @import { Lesson, Load } from '../runner/lesson/index.js'
 */

/** A share of the capacity that leaves no queue in a server which is half as fast. */
const steadyShare = 0.4

/** @type {Record<string, Pick<Gate, 'kind' | 'load' | 'of' | 'percentile'>>} */
const table = {
  rate: { kind: 'rate', load: 'busy' },
  p50: { kind: 'latency', load: 'steady', of: 'load', percentile: 50 },
  p99: { kind: 'latency', load: 'steady', of: 'load', percentile: 99 },
  cpu: { kind: 'cpu', load: 'busy' },
  memory: { kind: 'retained', load: 'memory' }
}
const gateNames = Object.keys(table)

/**
 * What is measured, and under which loads. Pure.
 *
 * @param {readonly string[]} names none: answers a second, or where requests come at a fixed rate, latencies
 * @param {{ target: number | null, connections?: number, rate?: number }} given rate: requests/s
 * @returns {Pick<Lesson, 'gates' | 'loads'>}
 * @throws {WorkshopError} there is no such gate
 */
export function gatesOf (names, { target, connections = 16, rate }) {
  const chosen = names.length > 0 ? names : rate === undefined ? ['rate'] : ['p50', 'p99']
  const gates = [...new Set(chosen)].map((name) => {
    if (!Object.hasOwn(table, name)) throw new WorkshopError(`There is no gate “${name}”: ${advice(name)}`)
    return { name, ...table[name], target: target ?? 1, look: '' }
  })
  const { busy, steady, memory } = lesson.loads
  /** @type {Partial<Load>} */
  const arriving = rate === undefined ? { arrivals: steadyShare } : { rate }
  return {
    gates,
    loads: {
      busy: { ...busy, connections },
      steady: { ...steady, ...arriving, connections },
      memory: { ...memory, connections }
    }
  }
}

/** @param {string} name */
function advice (name) {
  const [near] = nearest(name, gateNames, { limit: 1 })
  return near ? `did you mean --gate ${near}?` : `--gate takes ${gateNames.join(', ')}.`
}

/** Fewer agree by luck now and then, and their interval is narrow by luck. */
export const leastPairs = 8

/**
 * @param {readonly Gate[]} gates
 * @param {Machine} machine
 * @param {{ target: number | null, precision: number, cyclesPerPair: number }} how precision: 0.05 is ±5 %;
 *   cyclesPerPair: Infinity where servers can't be restarted
 * @returns {Standings}
 */
export function createComparisonStandings (gates, machine, { target, precision, cyclesPerPair }) {
  const isRestarted = Number.isFinite(cyclesPerPair)
  /** @type {Map<string, GateResult>} */
  const latest = new Map()
  const standings = createGateStandings(gates, {
    judge: (gate, /** @type {readonly Round[]} */ rounds, options) => {
      const result = isRestarted
        ? judgePairs(gate, machine, options.last ? rounds : wholePairs(rounds, gate.load, cyclesPerPair), options)
        : judgeRounds(gate, machine, rounds, options)
      const shown = target !== null || result.verdict === 'dropped' ? result : withoutTarget(result, options)
      latest.set(gate.name, shown)
      return shown
    },
    numberOf: (gate, rounds) => rounds.findLast(({ result: { load } }) => load === gate.load)?.result.number
  })
  const isSettled = (/** @type {Gate} */ { name }) => target === null
    ? isAnswered(latest.get(name), precision)
    : standings.isDecided(name)
  return {
    ...standings,
    // A regression by one gate doesn't end the question by how much the others differ.
    hasFailed: () => false,
    isOpen: (load) => gates.some((gate) =>
      gate.load === load && targetOf(gate, machine) !== undefined && !isSettled(gate))
  }
}

/**
 * A pair that is still at work says nothing yet.
 *
 * @param {readonly Round[]} rounds
 * @param {string} load
 * @param {number} size rounds of a whole pair
 */
function wholePairs (rounds, load, size) {
  const own = rounds.filter(({ result }) => result.load === load)
  const last = own.at(-1)?.pair
  return own.filter(({ pair }) => pair === last).length < size ? own.filter(({ pair }) => pair !== last) : own
}

/** @param {GateResult} result @param {{ last?: boolean }} options @returns {GateResult} */
function withoutTarget (result, { last = false }) {
  const isDecided = result.verdict === 'pass' || result.verdict === 'fail'
  return { ...result, target: null, moreSeconds: null, ...isDecided && !last && { verdict: 'inconclusive' } }
}

/** @param {GateResult | undefined} gate @param {number} precision */
function isAnswered (gate, precision) {
  const isLook = gate !== undefined && isInterim(gate.rounds)
  return isLook && isPrecise(gate, precision) && answerOf(gate, precision) !== 'unknown'
}

/** @param {Pick<GateResult, 'rounds' | 'interval95'>} gate @param {number} precision */
function isPrecise (gate, precision) {
  return gate.rounds >= leastPairs && halfWidth(gate) <= precision
}

/**
 * Half the width of the interval that is shown, as a share of the ratio; Infinity where nothing is known.
 *
 * @param {Pick<GateResult, 'interval95'>} gate
 */
export function halfWidth ({ interval95 }) {
  return interval95 === null ? Infinity : Math.sqrt(interval95[1] / interval95[0]) - 1
}

/**
 * What is known of the true ratio: that it's above 1, below 1, or that 1 lies in an interval as narrow as was wanted.
 * Pure.
 *
 * @param {GateResult} gate
 * @param {number} precision
 * @returns {'above' | 'below' | 'same' | 'unknown'}
 */
export function answerOf ({ interval, interval95, rounds }, precision) {
  if (interval === null || interval95 === null) return 'unknown'
  if (interval[0] > 1) return 'above'
  if (interval[1] < 1) return 'below'
  const isSame = isPrecise({ rounds, interval95 }, precision) && interval95[0] <= 1 && interval95[1] >= 1
  return isSame ? 'same' : 'unknown'
}
