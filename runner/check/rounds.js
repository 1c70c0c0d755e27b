import { moreTime } from '../shared/format.js'
import { cpuPerRequestOf, createStandings, isHandicap, latenciesOf, leastTrimmed } from '../judge/index.js'
import { busiestBetween, cpuOfOthers, judgedOn } from '../process/index.js'
import { orUnclear, testAfterLoad } from './contract.js'
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
 * @typedef {object} Times how long a check may take here, ms
 * @property {number} wholeMs all of it, for most verdicts
 * @property {number} leastRoundsMs rounds get at least this much …
 * @property {number} extraMs … this much more where it settles what is open, or where that isn't known yet …
 * @property {number} mostMs … and never more than this, but for a round of each load
 *
 * @typedef {RoundsOnly & Pick<MeasurementOptions, 'prepare' | 'servers'>} RoundsOptions
 */

/** @param {Context} context @param {RoundsOptions} options @returns {Promise<Outcome>} */
export async function runRounds (context, options) {
  const { lesson, gain, random } = context
  const { standings = createStandings(lesson, judgedOn({ gain })), testSoaked, prepare, servers } = options
  const draw = random.fork('order')
  const measurement = startMeasurement(context, { draw, startedBefore: servers === undefined, prepare, servers })
  const before = cpuOfOthers()
  const pair = await measureUntilDecided(context, measurement, { ...options, standings })
  const { rounds, note, isSound } = measurement
  note({ gates: standings.judge(rounds, { last: true }) })
  // A server that failed by speed has failed.
  if (pair && isSound() && !standings.hasFailed()) {
    note(...await Promise.all([testAfterLoad(context, pair.yours), orUnclear(async () => testSoaked?.() ?? {})]))
  }
  const waterfall = pair && isSound() ? await seeWaterfall(context, pair) : null
  if (pair) await measurement.stop(pair)
  note({ conditions: conditionsOf(rounds, busiestBetween(before, cpuOfOthers())) })
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
  const hasTooFew = () => names.some((name) => isOpen(name) &&
    rounds.filter(({ result, disturbed }) => result.load === name && !disturbed).length < leastTrimmed)
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
  return `It’s close: ${moreTime(Math.ceil(Math.max(forecastMs, cycleMs) / 1000))} should settle it`
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

/** On a machine as fast as those on which the targets were set. @type {Omit<Times, 'mostMs'>} */
const tuned = { wholeMs: 28_000, leastRoundsMs: 8000, extraMs: 32_000 }
/** A slow machine gets more time, but people don't wait for ever. */
export const mostPace = 1.6
const mostMs = 70_000

/**
 * The budget follows the machine. Pure.
 *
 * @param {number} pace how many times as long this machine needs for the same work, 1 or more
 * @returns {Times}
 */
export function timesFor (pace) {
  const stretch = Math.min(Math.max(pace, 1), mostPace)
  const { wholeMs, leastRoundsMs, extraMs } = tuned
  return { wholeMs: wholeMs * stretch, leastRoundsMs: leastRoundsMs * stretch, extraMs: extraMs * stretch, mostMs }
}

/** A forecast that rests on few rounds is a guess: so many times as long is allowed for. */
const caution = 1.25

/**
 * Is there time for another cycle? There is a soft end, and a hard one for those of whom it is known that they can be
 * settled before it, or that have too few rounds to know. Pure.
 *
 * @param {object} given
 * @param {number} given.elapsedMs
 * @param {number} given.cycleMs how long a cycle takes
 * @param {number} given.softMs
 * @param {number} given.hardMs
 * @param {number | null} given.forecastMs until everything is settled; null where nothing is known
 * @param {boolean} [given.tooFew] some gate has so few rounds that one odd round would keep it open
 */
export function hasTime ({ elapsedMs, cycleMs, softMs, hardMs, forecastMs, tooFew = false }) {
  if (elapsedMs + cycleMs <= (tooFew ? hardMs : softMs)) return true
  return forecastMs !== null && elapsedMs + Math.max(cycleMs, forecastMs * caution) <= hardMs
}

/**
 * How long it would take to settle the gates that are open: those of one load are settled by the same rounds. Pure.
 *
 * @param {Pick<Lesson, 'gates'>} lesson
 * @param {readonly Pick<GateResult, 'name' | 'verdict' | 'moreSeconds'>[]} standing
 * @returns {number | null} ms; null where one cannot be settled, or nothing is known
 */
export function forecast ({ gates }, standing) {
  /** By load. @type {Map<string, number>} */
  const needed = new Map()
  for (const { name, verdict, moreSeconds } of standing) {
    if (verdict !== 'inconclusive') continue
    if (moreSeconds === null) return null
    const load = gates.find((gate) => gate.name === name)?.load ?? ''
    needed.set(load, Math.max(needed.get(load) ?? 0, moreSeconds * 1000))
  }
  return [...needed.values()].reduce((sum, ms) => sum + ms, 0)
}

/** The names of the loads that some gate looks at, in the order of the gates. @param {Lesson} lesson */
export function loadsOf ({ gates }) {
  return [...new Set(gates.map(({ load }) => load))]
}

/** Another program that keeps less than this much of a core busy is not worth naming. */
const leastNamed = 0.15

/**
 * @param {readonly Round[]} rounds
 * @param {ReturnType<typeof busiestBetween>} busiest
 * @returns {Evidence['conditions']}
 */
function conditionsOf (rounds, busiest) {
  const disturbed = rounds.filter((round) => round.disturbed)
  const idle = disturbed.filter(({ disturbed, yours, baseline }) => disturbed?.cause === 'idle server' &&
    (baseline.conditions.idleServer ?? 0) > (yours.conditions.idleServer ?? 0))
  const cause = (idle[0] ?? disturbed[0])?.result.disturbed ?? ''
  const isWorth = cause.startsWith('other programs') && busiest !== null && busiest.cores >= leastNamed
  return {
    rounds: rounds.length,
    disturbed: disturbed.length,
    idleServer: idle.length,
    cause: isWorth ? `${cause}, ${busiest.name} most of all` : cause
  }
}

/** Mean share of the CPU time that was stolen, 0 to 1; null where the system doesn't tell. @param {Round[]} rounds */
function stealIn (rounds) {
  const steals = rounds
    .flatMap(({ baseline, yours }) => [baseline.conditions.steal, yours.conditions.steal])
    .filter((steal) => steal !== null)
  return steals.length > 0 ? steals.reduce((sum, steal) => sum + steal, 0) / steals.length : null
}
