import { checksOf, runContract } from '../contract/index.js'
import { isHandicap } from './disturbed.js'
import { measureLimit } from './limit.js'
import { summariseLoad, unfitSide } from './load-summary.js'
import { cpuPerRequestOf } from './cpu-per-request.js'
import { createPairs } from './pairs.js'
import { isBroken, runRound } from './round.js'
import { createStandings } from './standings.js'
import { newEvidence } from './verdict.js'
import { seeWaterfall } from './waterfall.js'

/**
 * @typedef {import('./slice.js').Slice} Slice
 * @typedef {import('./record.js').RoundResult} RoundResult
 * @typedef {import('./pairs.js').Pair} Pair
 *
 * One round: both servers under the same load, one after the other.
 * @typedef {object} Round
 * @property {RoundResult} result
 * @property {Slice} baseline
 * @property {Slice} yours
 * @property {number} seconds
 * @property {ReturnType<typeof import('./disturbed.js').disturbance>} disturbed
 *
 * @typedef {object} RoundsOutcome
 * @property {RoundResult[]} rounds
 * @property {import('./record.js').LoadResult} load
 * @property {{ baseline: number, yours: number } | null} cpuPerRequest ms, where the system tells it
 * @property {import('./record.js').WaterfallResult | null} waterfall
 * @property {number | null} steal
 * @property {string} output what the submission wrote
 * @property {import('./verdict.js').Evidence} evidence
 *
 * @typedef {object} RoundsGiven
 * @property {import('../catalogue/lesson.js').Lesson} lesson
 * @property {number} cores
 * @property {import('../check/crew.js').Crew} crew
 * @property {import('../load/index.js').Generator} generator
 * @property {{ dir: string, shownDir: string }} slow
 * @property {{ dir: string, shownDir: string }} submission
 * @property {number} budgetMs how long the rounds may take
 * @property {import('../catalogue/lesson.js').Random} random
 * @property {any} known
 * @property {(event: import('./record.js').CheckProgress) => void} onProgress
 * @property {(name: 'warm-up' | 'rounds' | 'after', text: string) => void} phase
 * @property {AbortSignal} [signal]
 */

/** Both servers are started anew after so many laps: a process keeps its luck (memory layout) for life. */
const lapsPerPair = 10
/** So many laps without a single round of use are enough. */
const hopelessLaps = 8

/**
 * Paired, interleaved rounds until every gate is decided, an answer is wrong or the time is up.
 *
 * @param {RoundsGiven} given
 * @returns {Promise<RoundsOutcome>}
 */
export async function runRounds (given) {
  const { lesson, cores, crew, submission, random, known, phase, signal } = given
  const standings = createStandings(lesson, { cores, tellsMemory: process.platform === 'linux' })
  const evidence = newEvidence()
  const pairs = createPairs(given, evidence)
  /** Every slice of the submission, also warm-ups. @type {Slice[]} */
  const served = []
  const { rounds, pair } = await runLaps(given, { standings, evidence, pairs, served })

  evidence.gates = standings.judge(rounds, { last: true })
  if (pair && !isBroken(evidence)) {
    phase('after', 'Checking the answers once more, after the load')
    const results = await runContract({ checks: checksOf(lesson, 'after'), when: 'after', server: pair.yours, oracle: null, startAnother: () => crew.start('yours', submission), random, data: known, signal })
    evidence.contract.push(...results)
    if (pair.yours.hasExited()) evidence.crash = `Your server ${pair.yours.howItEnded()} after the load.`
  }
  const waterfall = pair && !isBroken(evidence) ? await seeWaterfall(given, pair) : null
  if (pair) await pairs.stop(pair)
  if (!isBroken(evidence)) evidence.gates = await measureLimit(given, evidence.gates)

  const counted = rounds.filter((round) => !round.disturbed)
  evidence.unfit = unfitSide(counted)
  evidence.conditions = conditionsOf(rounds)
  const steals = rounds.flatMap(({ baseline, yours }) => [baseline.conditions.steal, yours.conditions.steal]).filter((steal) => steal !== null)
  return {
    rounds: rounds.map(({ result }) => result),
    load: summariseLoad(served, rounds, evidence.problems),
    cpuPerRequest: cpuPerRequestOf(lesson, counted),
    waterfall,
    steal: steals.length > 0 ? steals.reduce((sum, steal) => sum + steal, 0) / steals.length : null,
    output: pairs.output(),
    evidence
  }
}

/**
 * Lap after lap, each with one round of every load that is still open.
 *
 * @param {RoundsGiven} given
 * @param {object} shared
 * @param {import('./standings.js').Standings} shared.standings
 * @param {import('./verdict.js').Evidence} shared.evidence
 * @param {ReturnType<typeof createPairs>} shared.pairs
 * @param {Slice[]} shared.served
 * @returns {Promise<{ rounds: Round[], pair: Pair | null }>} the pair that is still running
 */
async function runLaps (given, { standings, evidence, pairs, served }) {
  const { lesson, budgetMs, random, onProgress, phase } = given
  const startedAt = performance.now()
  /** @type {Round[]} */
  const rounds = []
  const isOpen = (/** @type {string} */ name) => standings.isOpen(name, rounds)
  const names = [...new Set(lesson.gates.map((gate) => gate.load))]
  const lasting = names.filter((name) => !lesson.loads[name].fresh && isOpen(name))
  const rest = { draw: random.fork('order'), during: checksOf(lesson, 'during'), evidence, served }
  /** @type {Pair | null} */
  let pair = null
  /** The last pair that was started for one round. @type {Pair | null} */
  let freshPair = null
  let longestLapMs = 0

  for (let lap = 1; names.some(isOpen) && !isBroken(evidence) && !standings.hasFailed(); lap++) {
    const lapStartedAt = performance.now()
    if (lap > 1 && lapStartedAt - startedAt + longestLapMs > budgetMs) break
    // Where no round is of any use, more of the same settles nothing.
    if (lap > hopelessLaps && rounds.every((round) => round.disturbed && !isHandicap(round.baseline.conditions, round.yours.conditions))) break
    if (lasting.some(isOpen) && (lap - 1) % lapsPerPair === 0) {
      phase('warm-up', 'Warming both servers up')
      if (pair) await pairs.stop(pair)
      pair = await pairs.start()
      for (const name of lasting) if (pair && !isBroken(evidence) && isOpen(name)) await runRound(given, { ...rest, pair, name, number: 0, warmUp: lasting.length })
      if (!isBroken(evidence)) phase('rounds', 'Measuring in rounds, the two servers in turn')
    }
    if (lap === 1 && lasting.length === 0) phase('rounds', 'Measuring in rounds, each with two fresh servers')
    for (const name of names) {
      if (isBroken(evidence) || !isOpen(name)) continue
      if (lesson.loads[name].fresh) {
        if (freshPair) await pairs.stop(freshPair)
        freshPair = await pairs.start()
      }
      const its = lesson.loads[name].fresh ? freshPair : pair
      const round = its && await runRound(given, { ...rest, pair: its, name, number: lap })
      if (!round) continue
      rounds.push(round)
      onProgress({ type: 'round', round: round.result, gates: standings.judge(rounds), elapsedMs: performance.now() - startedAt })
    }
    // The first lap also starts and warms the servers up: it says little about the next one.
    if (lap > 1) longestLapMs = Math.max(longestLapMs, performance.now() - lapStartedAt)
  }
  if (pair && freshPair) await pairs.stop(pair)
  return { rounds, pair: freshPair ?? pair }
}

/** @param {readonly Round[]} rounds @returns {import('./verdict.js').Evidence['conditions']} */
function conditionsOf (rounds) {
  const disturbed = rounds.filter((round) => round.disturbed)
  const idle = disturbed.filter(({ disturbed, yours, baseline }) => disturbed?.cause === 'idle server' && (baseline.conditions.idleServer ?? 0) > (yours.conditions.idleServer ?? 0))
  return {
    rounds: rounds.length,
    disturbed: disturbed.length,
    idleServer: idle.length,
    cause: (idle[0] ?? disturbed[0])?.result.disturbed ?? ''
  }
}
