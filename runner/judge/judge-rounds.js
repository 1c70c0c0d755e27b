import { isEven, isHandicap } from './disturbed.js'
import { saturatedSide } from './fitness.js'
import { judgeGate } from './gate.js'
import { kindOf } from './gate-kinds.js'
import { observe } from './observe.js'
import { geometricMean } from './statistics.js'
import { plan } from './stopping-rule.js'

/**
 * @import { Round } from './round.js'
 * @import { Gate, Machine, Observation } from './gate-kinds.js'
 * @import { GateResult } from './record.js'
 */

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
 * @param {GateResult} result
 * @param {Gate} gate
 * @param {readonly Round[]} own of its load
 * @returns {GateResult}
 */
function withFitness (result, gate, own) {
  if (result.verdict !== 'pass' && result.verdict !== 'fail') return result
  const saturated = saturatedSide(gate, own)
  const isDoubtful = (result.verdict === 'fail' && (saturated === 'yours' || saturated === 'both')) ||
    (result.verdict === 'pass' && (saturated === 'baseline' || saturated === 'both'))
  if (!isDoubtful) return result
  const note = 'The load generator was at its own limit, so this figure is the generator’s and not the server’s.'
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
  if (all.verdict === 'pass') return { ...all, note: 'Other programs were running: yours is at least this fast.' }
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
