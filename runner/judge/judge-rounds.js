import { kindOf, observe } from './gate-kinds.js'
import { judgeGate, mostRounds, plan, targetOf } from './gate.js'
import { countIn, histogramOf, isEven, isHandicap, mergeHistograms, timeAt } from './slice-figures.js'
import { geometricMean, median, quantile } from './statistics.js'

/**
 * The state of the gates after the rounds so far. What was decided at an interim analysis stays decided.
 *
 * @import { Gate, Machine, Observation } from './gate-kinds.js'
 * @import { Mechanism } from './mechanism.js'
 * @import { CoursePoint, GateResult, LatencyFigures, LatencyResult, LoadResult } from './record.js'
 * @import { RoundResult, TierResult } from './record.js'
 * @import { Histogram, Slice, SliceReport, disturbance } from './slice-figures.js'
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
 * @typedef {GateStandings<readonly Round[]> & {
 *   isOpen: (load: string, rounds: readonly Round[]) => boolean
 * }} Standings isOpen: would another round of this load say something?
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

/**
 * One gate, from all rounds so far. Undisturbed rounds decide. Where they cannot, those that were disturbed to the
 * disadvantage of the submission are added, and only a pass is taken from the sum. A figure that does not depend on how
 * busy the machine is, such as memory, counts in every round. Pure.
 *
 * @param {Gate} gate
 * @param {Machine} machine
 * @param {readonly Round[]} rounds of any load
 * @param {{ last?: boolean }} [options]
 * @returns {GateResult}
 */
export function judgeRounds (gate, machine, rounds, options) {
  const own = rounds.filter(({ result }) => result.load === gate.load)
  const result = withFitness(judgeAll(gate, machine, own, options), gate, own)
  if (result.verdict !== 'not measured' || !options?.last) return result
  return { ...result, note: own.length > 0 ? 'All its rounds were disturbed.' : 'There was no time for a round of it.' }
}

/**
 * One gate where both servers are restarted often: all rounds of a pair are one observation. What a process keeps for
 * life is then in the scatter of the pairs (Kalibera and Jones, 2013). Pure.
 *
 * @param {Gate} gate
 * @param {Machine} machine
 * @param {readonly Round[]} rounds of any load
 * @param {{ last?: boolean }} [options]
 * @returns {GateResult}
 */
export function judgePairs (gate, machine, rounds, options) {
  const own = rounds.filter(({ result }) => result.load === gate.load)
  const counted = own.filter(({ disturbed, baseline, yours }) =>
    kindOf(gate.kind).loadInvariant || !disturbed || isEven(baseline.conditions, yours.conditions))
  const perProcessBias = kindOf(gate.kind).perProcessBias ? plan.biasOfRestarted : 0
  const observations = [...new Set(counted.map(({ pair }) => pair))].flatMap((number) => {
    const seen = observationsOf(gate, counted.filter(({ pair }) => pair === number))
    return seen.length > 0 ? [meanOf(seen)] : []
  })
  return withFitness(judgeGate(gate, machine, observations, { ...options, perProcessBias }), gate, own)
}

/**
 * A generator at its limit squeezes ratios towards 1: one that is saturated on yours can’t fail you, and one that is
 * on the baseline cannot pass you.
 *
 * @param {GateResult} result @param {Gate} gate @param {readonly Round[]} own of its load @returns {GateResult}
 */
function withFitness (result, gate, own) {
  if (result.verdict !== 'pass' && result.verdict !== 'fail') return result
  const saturated = saturatedSide(gate, own)
  const isDoubtful = (result.verdict === 'fail' && (saturated === 'yours' || saturated === 'both')) ||
    (result.verdict === 'pass' && (saturated === 'baseline' || saturated === 'both'))
  if (!isDoubtful) return result
  const note = 'The load generator was at its own limit, so this number is the generator’s and not the server’s.'
  return { ...result, verdict: 'inconclusive', moreSeconds: null, note }
}

/**
 * @param {Gate} gate
 * @param {Machine} machine
 * @param {readonly Round[]} own of its load
 * @param {{ last?: boolean }} [options]
 * @returns {GateResult}
 */
function judgeAll (gate, machine, own, options) {
  if (kindOf(gate.kind).loadInvariant) return judgeGate(gate, machine, observationsOf(gate, own), options)
  const counted = own.filter(({ disturbed }) => !disturbed)
  const quiet = judgeGate(gate, machine, observationsOf(gate, counted), options)
  const usable = own.filter(
    ({ disturbed, baseline, yours }) => !disturbed || isHandicap(baseline.conditions, yours.conditions)
  )
  if (usable.length === counted.length || (quiet.verdict !== 'inconclusive' && quiet.verdict !== 'not measured')) {
    return quiet
  }

  const all = judgeGate(gate, machine, observationsOf(gate, usable), options)
  const note = 'Other programs were running: without them, yours could only do better.'
  if (all.verdict === 'pass') return { ...all, note }
  // Too few quiet rounds to say anything: the others at least give an idea.
  if (quiet.interval === null && all.interval !== null) {
    return {
      ...all,
      verdict: 'inconclusive',
      moreSeconds: null,
      note: 'Other programs were running during these rounds.'
    }
  }
  return quiet
}

/** @param {readonly Observation[]} seen at least one @returns {Observation} */
function meanOf (seen) {
  return {
    baseline: geometricMean(seen.map(({ baseline }) => baseline)),
    yours: geometricMean(seen.map(({ yours }) => yours)),
    seconds: seen.reduce((sum, { seconds }) => sum + seconds, 0)
  }
}

/** @param {Gate} gate @param {readonly Round[]} rounds */
function observationsOf (gate, rounds) {
  return rounds.map((round) => observe(gate, round)).filter((observation) => observation !== null)
}

/**
 * One round: both servers under the same load, one after the other. Types only.
 *
 * @typedef {'baseline' | 'yours'} Role which of the two servers
 *
 * @typedef {object} Round
 * @property {RoundResult} result
 * @property {Slice} baseline
 * @property {Slice} yours
 * @property {number} seconds
 * @property {number} [pair] number of the pair that it was measured on
 * @property {ReturnType<typeof disturbance>} disturbed
 */

/** Above this share of its time the generator measures itself. */
const mostBusy = 0.8
/** Rate × latency / connections may be this far from 1 (Little's law). */
const mostOff = 0.1
/** The generator may be late by this share of the latency that it measures … */
const mostLate = 0.25
/** … and lateness by less than this share of so many ms says nothing. */
const leastProbeMs = 4
const leastArrivalMs = 20

/**
 * In whose slices the load generator was unfit for what this gate reads. CPU time, memory and upstream calls are read
 * elsewhere, so their gates never depend on it. Pure.
 *
 * @param {Gate} gate
 * @param {readonly Round[]} rounds all of its load, also disturbed ones
 * @returns {Role | 'both' | null}
 */
export function saturatedSide (gate, rounds) {
  if (kindOf(gate.kind).loadInvariant) return null
  const isUnfitFor = (/** @type {Role} */ side) =>
    rounds.filter((round) => isUnfit(gate, round[side])).length * 2 > rounds.length
  const [baseline, yours] = [isUnfitFor('baseline'), isUnfitFor('yours')]
  return baseline && yours ? 'both' : baseline ? 'baseline' : yours ? 'yours' : null
}

/** @param {Gate} gate @param {Slice} slice */
function isUnfit (gate, slice) {
  const { busy, littlesLaw, probeLateMs, lateMs } = slice
  if (busy > mostBusy) return true
  const name = kindOf(gate.kind).latencies?.(gate)
  if (name === undefined) return littlesLaw !== null && Math.abs(littlesLaw - 1) > mostOff
  const [byMs, leastMs] = name === 'probes' ? [probeLateMs, leastProbeMs] : [lateMs, leastArrivalMs]
  const latencies = slice[name]
  if (latencies.length === 0) return false
  // A burst of late arrivals can only lower a share. Where nothing was refused, they were too few only if very late.
  const isWhole = kindOf(gate.kind).bounded && slice.refused.length === 0
  const against = isWhole ? slice.elapsedMs : quantile(latencies, (gate.percentile ?? 99) / 100)
  return byMs > mostLate * Math.max(against, leastMs)
}

/**
 * How long answers took, of both servers, over the rounds that count. Pure.
 *
 * @param {readonly Round[]} rounds
 * @returns {LatencyResult[]} by load, in the order of their first rounds; of a load with a probe also the probe's
 */
export function latenciesOf (rounds) {
  const counted = rounds.filter(({ disturbed }) => !disturbed)
  return [...new Set(counted.map(({ result }) => result.load))].flatMap((load) => {
    const ofLoad = counted.filter(({ result }) => result.load === load)
    const isOpen = ofLoad.some(({ baseline, yours }) =>
      [baseline, yours].some(({ accepted, refused }) => accepted.length + refused.length > 0))
    const both = (/** @type {LatencyResult['of']} */ of, /** @type {(role: Role) => Histogram[]} */ histograms) => {
      const [baseline, yours] = [figuresOf(histograms('baseline')), figuresOf(histograms('yours'))]
      return baseline.count + yours.count === 0 ? [] : [{ load, of, baseline, yours }]
    }
    return [
      ...both(isOpen ? 'accepted' : 'answers', (role) => ofLoad.map((round) => round[role].latencies)),
      ...both('probes', (role) => ofLoad.map((round) => histogramOf(round[role].probes)))
    ]
  })
}

/** @param {readonly Histogram[]} histograms @returns {LatencyFigures} */
function figuresOf (histograms) {
  const all = mergeHistograms(histograms)
  const at = (/** @type {number} */ share) => round(timeAt(all, share))
  const count = countIn(all)
  return {
    count,
    p50: at(0.5),
    p75: at(0.75),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    p999: at(0.999),
    max: count === 0 ? null : round(all.max)
  }
}

/** More digits say nothing here, and these are sent after each round. @param {number | null} ms */
function round (ms) {
  return ms === null ? null : Number(ms.toPrecision(3))
}

/**
 * Pure.
 *
 * @param {readonly SliceReport[]} served every slice of the submission
 * @param {readonly Round[]} rounds all of them
 * @param {readonly string[]} problems
 * @returns {LoadResult}
 */
export function summariseLoad (served, rounds, problems) {
  const sum = (/** @type {(slice: SliceReport) => number} */ of) =>
    served.reduce((total, slice) => total + of(slice), 0)
  const counted = rounds.filter((round) => !round.disturbed)
  return {
    requests: sum((slice) => slice.answers + slice.refused.length + slice.probes.length),
    errors: sum((slice) => slice.lost.length),
    non2xx: sum((slice) => slice.badStatus),
    mismatches: sum((slice) => slice.wrong - slice.badStatus),
    disturbedRounds: rounds.length - counted.length,
    generatorBusy:
      counted.length > 0 ? Math.max(...counted.flatMap(({ baseline, yours }) => [baseline.busy, yours.busy])) : null,
    problems: problems.slice(0, 5)
  }
}

/**
 * CPU time of each server for one answer under the load in which the lesson's mechanism shows, ms, median of the
 * rounds. Pure.
 *
 * @param {{ mechanism: Mechanism }} lesson
 * @param {readonly Round[]} rounds the counted ones
 * @returns {{ baseline: number, yours: number } | null} null where the system does not tell, or nothing was counted
 */
export function cpuPerRequestOf ({ mechanism }, rounds) {
  const seen = rounds.filter(({ result }) => result.load === mechanism.load)
  const of = (/** @type {Role} */ side) =>
    seen.map((round) => round[side].cpuPerRequestMs).filter((ms) => ms !== null)
  const [baseline, yours] = [of('baseline'), of('yours')]
  return baseline.length === 0 || yours.length === 0 ? null : { baseline: median(baseline), yours: median(yours) }
}
