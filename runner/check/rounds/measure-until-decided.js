import { isHandicap, isSound, latenciesOf, leastTrimmed } from '../../judge/index.js'
import { forecast, hasTime } from './budget.js'
import { loadsOf } from './loads.js'
import { runRound } from './round.js'

/**
 * @import { Evidence, GateResult, Round, Slice, Standings } from '../../judge/index.js'
 * @import { Pair, Pairs } from './pairs.js'
 * @import { RoundOptions } from './round.js'
 * @import { RoundsContext } from '../context.js'
 *
 * @typedef {object} CycleOptions
 * @property {Standings} standings
 * @property {Evidence} evidence
 * @property {Pairs} pairs
 * @property {Slice[]} served
 */

/** Both servers are restarted after so many cycles: a process keeps its luck (memory layout) for life. */
const usualCycles = 10
/** So many cycles without a single round of use are enough. */
const hopelessCycles = 8

/**
 * Cycle after cycle, each with one round of every load that is still open.
 *
 * @param {RoundsContext} context
 * @param {CycleOptions} options
 * @returns {Promise<{ rounds: Round[], pair: Pair | null }>} the pair that is still running
 */
export async function measureUntilDecided (context, { standings, evidence, pairs, served }) {
  const { lesson, random, onProgress, phase } = context
  const startedAt = performance.now()
  const { earlier = [], cyclesPerPair = usualCycles } = context
  /** @type {Round[]} */
  const rounds = []
  for (const round of earlier) {
    rounds.push(round)
    // What was decided at a look stays decided.
    standings.judge(rounds)
  }
  const isOpen = (/** @type {string} */ name) => standings.isOpen(name, rounds)
  const names = loadsOf(lesson)
  // A server that gets slower with each request would take minutes.
  const mustWait = (/** @type {string} */ name) => lesson.loads[name].baselineExactly !== undefined &&
    names.some((other) => lesson.loads[other].baselineExactly === undefined && isOpen(other))
  const lasting = names.filter((name) => !lesson.loads[name].fresh && isOpen(name))
  const shared = { draw: random.fork('order'), evidence, served }
  const servers = createCycleServers(context, { ...shared, pairs, lasting, isOpen })
  const clock = createClock(context)
  const before = Math.max(0, ...earlier.map(({ result }) => result.number))
  const hasTooFew = () => names.some((name) => isOpen(name) && countOf(rounds, name) < leastTrimmed)
  let longestCycleMs = 0

  for (let cycle = 1; names.some(isOpen) && isSound(evidence) && !standings.hasFailed(); cycle++) {
    const cycleStartedAt = performance.now()
    const elapsedMs = cycleStartedAt - startedAt
    if (cycle > 1 && !clock.allows(elapsedMs, longestCycleMs, standings.judge(rounds), hasTooFew())) break
    if (cycle > hopelessCycles && rounds.every(isUseless)) break
    if (lasting.some(isOpen) && (cycle - 1) % cyclesPerPair === 0) await servers.startWarm()
    if (cycle === 1 && lasting.length === 0) phase('rounds', 'Measuring in rounds, each with two fresh servers')
    for (const name of names) {
      if (!isSound(evidence) || standings.hasFailed() || !isOpen(name) || mustWait(name)) continue
      const pair = await servers.pairFor(name)
      const round = pair && await runRound(context, { ...shared, pair, name, number: before + cycle })
      if (!round) continue
      rounds.push(round)
      const elapsedMs = performance.now() - startedAt
      const gates = standings.judge(rounds)
      onProgress({ type: 'round', round: round.result, gates, latencies: latenciesOf(rounds), elapsedMs })
    }
    // The first cycle also starts and warms the servers up: it says little about the next one.
    if (cycle > 1) longestCycleMs = Math.max(longestCycleMs, performance.now() - cycleStartedAt)
  }
  return { rounds, pair: await servers.last() }
}

/**
 * Says once that a check takes longer than others, and why.
 *
 * @param {RoundsContext} context
 */
function createClock ({ lesson, budgetMs: softMs, hardMs = softMs, phase }) {
  let said = false
  return {
    /**
     * @param {number} elapsedMs
     * @param {number} cycleMs
     * @param {readonly GateResult[]} standing
     * @param {boolean} tooFew
     */
    allows: (elapsedMs, cycleMs, standing, tooFew) => {
      const forecastMs = forecast(lesson, standing)
      if (!hasTime({ elapsedMs, cycleMs, softMs, hardMs, forecastMs, tooFew })) return false
      if (!said && elapsedMs + cycleMs > softMs) {
        phase('rounds', whyLonger(forecastMs, cycleMs))
        said = true
      }
      return true
    }
  }
}

/** @param {number | null} forecastMs @param {number} cycleMs */
function whyLonger (forecastMs, cycleMs) {
  if (forecastMs === null) return 'Too few rounds so far to tell: it takes a little longer'
  const seconds = Math.ceil(Math.max(forecastMs, cycleMs) / 1000)
  return `It’s close: about ${seconds} more second${seconds === 1 ? '' : 's'} should settle it`
}

/** Rounds that count. @param {readonly Round[]} rounds @param {string} name of a load */
function countOf (rounds, name) {
  return rounds.filter(({ result, disturbed }) => result.load === name && !disturbed).length
}

/** More of the same would settle nothing. @param {Round} round */
function isUseless ({ disturbed, baseline, yours }) {
  return disturbed && !isHandicap(baseline.conditions, yours.conditions)
}

/**
 * The pairs of the cycles: one that lasts for many, and one after the other for loads that want fresh servers.
 *
 * @param {RoundsContext} context
 * @param {Omit<RoundOptions, 'pair' | 'name' | 'number'> & { pairs: Pairs, lasting: string[], isOpen: (name: string) =>
 *   boolean }} options
 */
function createCycleServers (context, { pairs, lasting, isOpen, ...shared }) {
  const { lesson, phase } = context
  /** @type {Pair | null} */
  let pair = null
  /** The last pair that was started for one round. @type {Pair | null} */
  let freshPair = null
  return {
    startWarm: async () => {
      phase('warm-up', 'Warming both servers up')
      if (pair) await pairs.stop(pair)
      pair = await pairs.start()
      for (const name of lasting) {
        if (!pair || !isSound(shared.evidence) || !isOpen(name)) continue
        await runRound(context, { ...shared, pair, name, number: 0, warmUp: lasting.length })
      }
      if (isSound(shared.evidence)) phase('rounds', 'Measuring in rounds, the two servers in turn')
    },
    /** @param {string} name of a load */
    pairFor: async (name) => {
      if (!lesson.loads[name].fresh) return pair
      if (freshPair) await pairs.stop(freshPair)
      return (freshPair = await pairs.start())
    },
    /** The pair that was loaded last; another one is stopped. */
    last: async () => {
      if (pair && freshPair) await pairs.stop(pair)
      return freshPair ?? pair
    }
  }
}
