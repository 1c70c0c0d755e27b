import {
  cpuPerRequestOf, createStandings, isSound, latenciesOf, newEvidence, summariseLoad
} from '../../judge/index.js'
import { busiestBetween, cpuOfOthers, judgedOn } from '../../system/index.js'
import { testAfterLoad } from '../contract.js'
import { measureUntilDecided } from './measure-until-decided.js'
import { createPairs } from './pairs.js'
import { seeWaterfall } from './record-waterfall.js'

/**
 * @import { RoundsContext, RoundsOutcome } from '../context.js'
 * @import { Evidence, Round, Slice } from '../../judge/index.js'
 * @import { Pair } from './pairs.js'
 */

/**
 * Paired, interleaved rounds until every gate is decided, an answer is wrong or the time is up.
 *
 * @param {RoundsContext} context
 * @returns {Promise<RoundsOutcome>}
 */
export async function runRounds (context) {
  const { lesson } = context
  const { standings = createStandings(lesson, judgedOn()) } = context
  const evidence = newEvidence()
  const pairs = createPairs(context, evidence, { startedBefore: context.servers === undefined })
  /** Every slice of the submission, also warm-ups. @type {Slice[]} */
  const served = []
  const before = cpuOfOthers()
  const { rounds, pair } = await measureUntilDecided(context, { standings, evidence, pairs, served })

  evidence.gates = standings.judge(rounds, { last: true })
  // A server that failed by speed has failed.
  if (pair && isSound(evidence) && !standings.hasFailed()) await checkAgain(context, pair, evidence)
  const waterfall = pair && isSound(evidence) ? await seeWaterfall(context, pair) : null
  if (pair) await pairs.stop(pair)

  const counted = rounds.filter((round) => !round.disturbed)
  evidence.conditions = withName(conditionsOf(rounds), busiestBetween(before, cpuOfOthers()))
  return {
    rounds: rounds.map(({ result }) => result),
    measured: rounds,
    load: summariseLoad(served, rounds, evidence.problems),
    latencies: latenciesOf(rounds),
    cpuPerRequest: cpuPerRequestOf(lesson, counted),
    waterfall,
    steal: stealIn(rounds),
    output: pairs.output(),
    baselineOutput: pairs.baselineOutput(),
    evidence
  }
}

/**
 * The answers once more, of the servers that were loaded and of those that have been running meanwhile.
 *
 * @param {RoundsContext} context
 * @param {Pair} pair
 * @param {Evidence} evidence
 */
async function checkAgain (context, pair, evidence) {
  const [soaked] = await Promise.all([context.testSoaked?.(), testAfterLoad(context, pair.yours, evidence)])
  evidence.contract.push(...soaked?.results ?? [])
  if (soaked?.fault) evidence.baselineFailures.push(soaked.fault)
}

/**
 * Mean share of the CPU time that was stolen, 0 to 1; null where the system does not tell.
 *
 * @param {readonly Round[]} rounds
 */
function stealIn (rounds) {
  const steals = rounds
    .flatMap(({ baseline, yours }) => [baseline.conditions.steal, yours.conditions.steal])
    .filter((steal) => steal !== null)
  return steals.length > 0 ? steals.reduce((sum, steal) => sum + steal, 0) / steals.length : null
}

/** Another program that keeps less than this much of a core busy is not worth naming. */
const leastNamed = 0.15

/**
 * @param {Evidence['conditions']} conditions
 * @param {ReturnType<typeof busiestBetween>} busiest
 * @returns {Evidence['conditions']}
 */
function withName (conditions, busiest) {
  const isWorth = conditions.cause.startsWith('other programs') && busiest !== null && busiest.cores >= leastNamed
  return isWorth ? { ...conditions, cause: `${conditions.cause}, ${busiest.name} most of all` } : conditions
}

/** @param {readonly Round[]} rounds @returns {Evidence['conditions']} */
function conditionsOf (rounds) {
  const disturbed = rounds.filter((round) => round.disturbed)
  const idle = disturbed.filter(({ disturbed, yours, baseline }) => {
    return (
      disturbed?.cause === 'idle server' && (baseline.conditions.idleServer ?? 0) > (yours.conditions.idleServer ?? 0)
    )
  })
  return {
    rounds: rounds.length,
    disturbed: disturbed.length,
    idleServer: idle.length,
    cause: (idle[0] ?? disturbed[0])?.result.disturbed ?? ''
  }
}
