import { cpuPerRequestOf, createStandings, isHandicap, latenciesOf, leastTrimmed } from '../judge/index.js'
import { busiestBetween, cpuOfOthers, judgedOn } from '../process/index.js'
import { forecast, hasTime } from './budget.js'
import { testAfterLoad } from './contract.js'
import { seeWaterfall, startMeasurement } from './round.js'

/**
 * Paired, interleaved rounds until every gate is decided, an answer is wrong or the time is up.
 *
 * @import { Evidence, GateResult, Round, Standings } from '../judge/index.js'
 * @import { Lesson } from '../lesson/index.js'
 * @import { Context } from './context.js'
 * @import { Measurement, MeasurementOptions, Outcome, Pair } from './round.js'
 *
 * @typedef {object} RoundsOnly
 * @property {number} budgetMs how long the rounds may take
 * @property {number} [hardMs] how long where that is known to settle it
 * @property {Round[]} [earlier] rounds of a check that this one goes on with
 * @property {() => Promise<Partial<Evidence>>} [testSoaked] of servers that have been running since before the rounds
 * @property {Standings} [standings] instead of the lesson's
 * @property {number} [cyclesPerPair] after so many, both servers are restarted: a process keeps its luck (memory
 *   layout) for life
 *
 * @typedef {RoundsOnly & Pick<MeasurementOptions, 'prepare' | 'servers'>} RoundsOptions
 */

/** @param {Context} context @param {RoundsOptions} options @returns {Promise<Outcome>} */
export async function runRounds (context, options) {
  const { lesson, random } = context
  const { standings = createStandings(lesson, judgedOn()), testSoaked, prepare, servers } = options
  const draw = random.fork('order')
  const measurement = startMeasurement(context, { draw, startedBefore: servers === undefined, prepare, servers })
  const before = cpuOfOthers()
  const pair = await measureUntilDecided(context, measurement, { ...options, standings })
  const { rounds, note, isSound } = measurement
  note({ gates: standings.judge(rounds, { last: true }) })
  // A server that failed by speed has failed.
  if (pair && isSound() && !standings.hasFailed()) {
    note(...await Promise.all([testAfterLoad(context, pair.yours), testSoaked?.() ?? {}]))
  }
  const waterfall = pair && isSound() ? await seeWaterfall(context, pair) : null
  if (pair) await measurement.stop(pair)
  note({ conditions: withName(conditionsOf(rounds), busiestBetween(before, cpuOfOthers())) })
  return measurement.outcome({
    latencies: latenciesOf(rounds),
    cpuPerRequest: cpuPerRequestOf(lesson, rounds.filter((round) => !round.disturbed)),
    waterfall,
    steal: stealIn(rounds)
  })
}

const usualCycles = 10
/** So many cycles without a single round of use are enough. */
const hopelessCycles = 8

/**
 * Cycle after cycle, each with one round of every load that is still open.
 *
 * @param {Context} context
 * @param {Measurement} measurement
 * @param {RoundsOnly & { standings: Standings }} options
 * @returns {Promise<Pair | null>} the pair that is still running
 */
async function measureUntilDecided (context, measurement, options) {
  const { lesson, onProgress, phase } = context
  const { rounds, isSound, run } = measurement
  const { standings, earlier = [], cyclesPerPair = usualCycles } = options
  const startedAt = performance.now()
  for (const round of earlier) {
    rounds.push(round)
    // What was decided at an interim analysis stays decided.
    standings.judge(rounds)
  }
  const isOpen = (/** @type {string} */ name) => standings.isOpen(name, rounds)
  const names = loadsOf(lesson)
  // A server that gets slower with each request would take minutes.
  const mustWait = (/** @type {string} */ name) => lesson.loads[name].baselineExactly !== undefined &&
    names.some((other) => lesson.loads[other].baselineExactly === undefined && isOpen(other))
  const lasting = names.filter((name) => !lesson.loads[name].fresh && isOpen(name))
  const servers = createCycleServers(context, measurement, { lasting, isOpen })
  const allows = createClock(context, options)
  const before = Math.max(0, ...earlier.map(({ result }) => result.number))
  const hasTooFew = () => names.some((name) => isOpen(name) && countOf(rounds, name) < leastTrimmed)
  let longestCycleMs = 0

  for (let cycle = 1; names.some(isOpen) && isSound() && !standings.hasFailed(); cycle++) {
    const cycleStartedAt = performance.now()
    const elapsedMs = cycleStartedAt - startedAt
    if (cycle > 1 && !allows(elapsedMs, longestCycleMs, standings.judge(rounds), hasTooFew())) break
    if (cycle > hopelessCycles && rounds.every(isUseless)) break
    if (lasting.some(isOpen) && (cycle - 1) % cyclesPerPair === 0) await servers.startWarm()
    if (cycle === 1 && lasting.length === 0) phase('rounds', 'Measuring in rounds, each with two fresh servers')
    for (const name of names) {
      if (!isSound() || standings.hasFailed() || !isOpen(name) || mustWait(name)) continue
      const pair = await servers.pairFor(name)
      const round = pair && await run({ pair, name, number: before + cycle })
      if (!round) continue
      rounds.push(round)
      const elapsedMs = performance.now() - startedAt
      const gates = standings.judge(rounds)
      onProgress({ type: 'round', round: round.result, gates, latencies: latenciesOf(rounds), elapsedMs })
    }
    // The first cycle also starts and warms the servers up: it says little about the next one.
    if (cycle > 1) longestCycleMs = Math.max(longestCycleMs, performance.now() - cycleStartedAt)
  }
  return servers.last()
}

/**
 * Is there time for another cycle? Says once that a check takes longer than others, and why.
 *
 * @param {Context} context
 * @param {Pick<RoundsOnly, 'budgetMs' | 'hardMs'>} options
 * @returns {(elapsedMs: number, cycleMs: number, standing: readonly GateResult[], tooFew: boolean) => boolean}
 */
function createClock ({ lesson, phase }, { budgetMs: softMs, hardMs = softMs }) {
  let said = false
  return (elapsedMs, cycleMs, standing, tooFew) => {
    const forecastMs = forecast(lesson, standing)
    if (!hasTime({ elapsedMs, cycleMs, softMs, hardMs, forecastMs, tooFew })) return false
    if (!said && elapsedMs + cycleMs > softMs) {
      phase('rounds', whyLonger(forecastMs, cycleMs))
      said = true
    }
    return true
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
 * @param {Context} context
 * @param {Measurement} measurement
 * @param {{ lasting: string[], isOpen: (name: string) => boolean }} loads
 */
function createCycleServers ({ lesson, phase }, { start, stop, run, isSound }, { lasting, isOpen }) {
  /** @type {Pair | null} */
  let pair = null
  /** The last pair that was started for one round. @type {Pair | null} */
  let freshPair = null
  return {
    startWarm: async () => {
      phase('warm-up', 'Warming both servers up')
      if (pair) await stop(pair)
      pair = await start()
      for (const name of lasting) {
        if (pair && isSound() && isOpen(name)) await run({ pair, name, number: 0, warmUp: lasting.length })
      }
      if (isSound()) phase('rounds', 'Measuring in rounds, the two servers in turn')
    },
    /** @param {string} name of a load */
    pairFor: async (name) => {
      if (!lesson.loads[name].fresh) return pair
      if (freshPair) await stop(freshPair)
      return (freshPair = await start())
    },
    /** The pair that was loaded last; another one is stopped. */
    last: async () => {
      if (pair && freshPair) await stop(pair)
      return freshPair ?? pair
    }
  }
}

/** The names of the loads that some gate looks at, in the order of the gates. @param {Lesson} lesson */
export function loadsOf ({ gates }) {
  return [...new Set(gates.map(({ load }) => load))]
}

/** @param {readonly Round[]} rounds @returns {Evidence['conditions']} */
function conditionsOf (rounds) {
  const disturbed = rounds.filter((round) => round.disturbed)
  const idle = disturbed.filter(({ disturbed, yours, baseline }) => disturbed?.cause === 'idle server' &&
    (baseline.conditions.idleServer ?? 0) > (yours.conditions.idleServer ?? 0))
  return {
    rounds: rounds.length,
    disturbed: disturbed.length,
    idleServer: idle.length,
    cause: (idle[0] ?? disturbed[0])?.result.disturbed ?? ''
  }
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

/** Mean share of the CPU time that was stolen, 0 to 1; null where the system doesn't tell. @param {Round[]} rounds */
function stealIn (rounds) {
  const steals = rounds
    .flatMap(({ baseline, yours }) => [baseline.conditions.steal, yours.conditions.steal])
    .filter((steal) => steal !== null)
  return steals.length > 0 ? steals.reduce((sum, steal) => sum + steal, 0) / steals.length : null
}
