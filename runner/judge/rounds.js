import { checksOf, runContract } from '../contract/index.js'
import { measureSlice } from './slice.js'
import { disturbance, isHandicap } from './disturbed.js'
import { targetOf } from './gate.js'
import { judgeRounds } from './judge-rounds.js'
import { summariseLoad, unfitSide } from './load-summary.js'
import { seeMechanism } from './mechanism.js'
import { mostRounds } from './plan.js'
import { newEvidence } from './verdict.js'

/**
 * @typedef {import('../server/start.js').Server} Server
 * @typedef {import('./slice.js').Slice} Slice
 * @typedef {import('./record.js').GateResult} GateResult
 * @typedef {import('./record.js').RoundResult} RoundResult
 *
 * @typedef {{ baseline: Server, yours: Server, number: number }} Pair two servers, started together
 *
 * One round: both servers under the same load, one after the other.
 * @typedef {object} Round
 * @property {RoundResult} result
 * @property {Slice} baseline
 * @property {Slice} yours
 * @property {number} seconds
 * @property {ReturnType<typeof disturbance>} disturbed
 *
 * @typedef {object} RoundsOutcome
 * @property {RoundResult[]} rounds
 * @property {import('./record.js').LoadResult} load
 * @property {import('./record.js').MechanismResult | null} mechanism
 * @property {number | null} steal
 * @property {string} output what the submission wrote
 * @property {import('./verdict.js').Evidence} evidence
 */

/** Both servers are started anew after so many laps: a process keeps its luck (memory layout) for life. */
const lapsPerPair = 6
/** So many laps without a single round of use are enough. */
const hopelessLaps = 8

/**
 * Paired, interleaved rounds until every gate is decided, an answer is wrong or the time is up.
 *
 * @param {object} given
 * @param {import('../catalogue/lesson.js').Lesson} given.lesson
 * @param {number} given.cores
 * @param {import('../check/crew.js').Crew} given.crew
 * @param {import('../load/index.js').Generator} given.generator
 * @param {{ dir: string, shownDir: string }} given.slow
 * @param {{ dir: string, shownDir: string }} given.submission
 * @param {number} given.budgetMs how long the rounds may take
 * @param {import('../catalogue/lesson.js').Random} given.random
 * @param {any} given.known
 * @param {(event: import('./record.js').CheckProgress) => void} given.onProgress
 * @param {(name: 'warm-up' | 'rounds' | 'after', text: string) => void} given.phase
 * @param {AbortSignal} [given.signal]
 * @returns {Promise<RoundsOutcome>}
 */
export async function runRounds (given) {
  const { lesson, cores, crew, generator, slow, submission, budgetMs, random, known, onProgress, phase, signal } = given
  const startedAt = performance.now()
  /** @type {Round[]} */
  const rounds = []
  const evidence = newEvidence()
  /** Every slice of the submission, also warm-ups. @type {Slice[]} */
  const served = []
  let output = ''
  let pairs = 0
  const draw = random.fork('order')
  const during = checksOf(lesson, 'during')

  /** Gates that were decided at a look stay decided. @type {Map<string, GateResult>} */
  const decided = new Map()
  const judge = (last = false) => lesson.gates.map((gate) => {
    const before = decided.get(gate.name)
    if (before) return before
    const result = judgeRounds(gate, { cores }, rounds, { last })
    if (result.verdict === 'pass' || result.verdict === 'fail') decided.set(gate.name, result)
    return result
  })
  const isOpen = (/** @type {string} */ name) => {
    const counted = rounds.filter((round) => round.result.load === name && !round.disturbed).length
    return counted < mostRounds && lesson.gates.some((gate) => gate.load === name && !decided.has(gate.name) && targetOf(gate, { cores }) !== undefined)
  }
  const isBroken = () => evidence.crash !== null || evidence.startFailure !== null || evidence.problems.length > 0 ||
    evidence.baselineProblems.length > 0 || evidence.baselineFailures.length > 0 || evidence.contract.some(({ status }) => status === 'fail')

  /** @returns {Promise<Pair | null>} */
  const startPair = async () => {
    const [baseline, yours] = await Promise.all([crew.start('baseline', slow), crew.start('yours', submission)])
    if (baseline.failure !== null) evidence.baselineFailures.push(baseline.failure)
    if (yours.failure !== null) {
      evidence.startFailure = `Started once more, your server failed: ${yours.failure}`
      output = yours.output
    }
    return baseline.server && yours.server ? { baseline: baseline.server, yours: yours.server, number: ++pairs } : null
  }
  const stopPair = async (/** @type {Pair} */ pair) => {
    output = pair.yours.output()
    await Promise.all([crew.stop(pair.baseline), crew.stop(pair.yours), generator.forget(`baseline#${pair.number}`), generator.forget(`yours#${pair.number}`)])
  }
  /** @param {Pair} pair @param {string} name @param {{ warmUp?: boolean, number: number }} options */
  const runRound = async (pair, name, { warmUp = false, number }) => {
    signal?.throwIfAborted()
    const load = lesson.loads[name]
    const roundStartedAt = performance.now()
    const first = draw.next() < 0.5 ? /** @type {const} */ ('baseline') : /** @type {const} */ ('yours')
    /** @type {Partial<Record<'baseline' | 'yours', Slice>>} */
    const slices = {}
    for (const role of first === 'baseline' ? /** @type {const} */ (['baseline', 'yours']) : /** @type {const} */ (['yours', 'baseline'])) {
      const server = pair[role]
      const slice = await measureSlice({
        server,
        other: pair[role === 'baseline' ? 'yours' : 'baseline'],
        generator,
        cores,
        order: {
          life: `${role}#${pair.number}`,
          load: name,
          port: server.port,
          sliceMs: warmUp ? load.warmUpMs ?? 250 : load.sliceMs ?? 200,
          sliceAnswers: load.sliceAnswers ?? 10,
          exactly: load.exactly
        },
        during: async (running) => {
          while (during.length > 0 && running()) {
            const results = await runContract({ checks: during, when: 'during', server, oracle: null, random: random.fork(`${name}/${number}`), data: known, signal })
            const failed = results.filter(({ status }) => status === 'fail')
            if (role === 'yours') evidence.contract.push(...failed)
            else evidence.baselineFailures.push(...failed.map((check) => `it ${check.name}: ${check.message}`))
            if (failed.length > 0) return
          }
        }
      })
      slices[role] = slice
      if (role === 'yours') served.push(slice)
      const sentences = [...slice.lost, ...slice.problems].map(({ message }) => message)
      if (role === 'baseline') evidence.baselineProblems.push(...sentences)
      else evidence.problems.push(...sentences)
      if (server.hasExited()) {
        if (role === 'baseline') evidence.baselineFailures.push(`it ${server.howItEnded()}`)
        else evidence.crash = `Your server ${server.howItEnded()} under load.`
      }
      if (isBroken()) break
    }
    const { baseline, yours } = slices
    if (!baseline || !yours) return
    const disturbed = disturbance([baseline.conditions, yours.conditions])
    /** @type {RoundResult} */
    const result = { load: name, number, first, baseline: baseline.rate, yours: yours.rate, disturbed: disturbed?.text ?? null }
    if (warmUp || isBroken()) return
    rounds.push({ result, baseline, yours, seconds: (performance.now() - roundStartedAt) / 1000, disturbed })
    onProgress({ type: 'round', round: result, gates: judge(), elapsedMs: performance.now() - startedAt })
  }

  const names = [...new Set(lesson.gates.map((gate) => gate.load))]
  const lasting = names.filter((name) => !lesson.loads[name].fresh && isOpen(name))
  /** @type {Pair | null} */
  let pair = null
  /** The last pair that was started for one round. @type {Pair | null} */
  let freshPair = null
  let lap = 0
  let longestLapMs = 0
  while (names.some(isOpen) && !isBroken() && ![...decided.values()].some(({ verdict }) => verdict === 'fail')) {
    const lapStartedAt = performance.now()
    if (lap > 0 && lapStartedAt - startedAt + longestLapMs > budgetMs) break
    // Where no round is of any use, more of the same settles nothing.
    if (lap >= hopelessLaps && rounds.every((round) => round.disturbed && !isHandicap(round.baseline.conditions, round.yours.conditions))) break
    lap++
    if (lasting.some(isOpen) && (lap - 1) % lapsPerPair === 0) {
      phase('warm-up', 'Warming both servers up')
      if (pair) await stopPair(pair)
      pair = await startPair()
      for (const name of lasting) if (pair && !isBroken() && isOpen(name)) await runRound(pair, name, { warmUp: true, number: 0 })
      if (!isBroken()) phase('rounds', 'Measuring in rounds, the two servers in turn')
    }
    if (lap === 1 && lasting.length === 0) phase('rounds', 'Measuring in rounds, each with two fresh servers')
    for (const name of names) {
      if (isBroken() || !isOpen(name)) continue
      if (!lesson.loads[name].fresh) {
        if (pair) await runRound(pair, name, { number: lap })
        continue
      }
      if (freshPair) await stopPair(freshPair)
      freshPair = await startPair()
      if (freshPair) await runRound(freshPair, name, { number: lap })
    }
    // The first lap also starts and warms the servers up: it says little about the next one.
    if (lap > 1) longestLapMs = Math.max(longestLapMs, performance.now() - lapStartedAt)
  }

  evidence.gates = judge(true)
  const loaded = freshPair ?? pair
  if (loaded && !isBroken()) {
    phase('after', 'Checking the answers once more, after the load')
    const results = await runContract({ checks: checksOf(lesson, 'after'), when: 'after', server: loaded.yours, oracle: null, startAnother: () => crew.start('yours', submission), random, data: known, signal })
    evidence.contract.push(...results)
    if (loaded.yours.hasExited()) evidence.crash = `Your server ${loaded.yours.howItEnded()} after the load.`
  }
  for (const last of [pair, freshPair]) if (last) await stopPair(last)

  const counted = rounds.filter((round) => !round.disturbed)
  const idle = rounds.filter(({ disturbed, yours, baseline }) => disturbed?.cause === 'idle server' && (baseline.conditions.idleServer ?? 0) > (yours.conditions.idleServer ?? 0))
  const disturbed = rounds.filter((round) => round.disturbed)
  evidence.unfit = unfitSide(counted)
  evidence.conditions = {
    rounds: rounds.length,
    disturbed: disturbed.length,
    idleServer: idle.length,
    cause: (idle[0] ?? disturbed[0])?.result.disturbed ?? ''
  }
  const steals = rounds.map(({ baseline, yours }) => [baseline.conditions.steal, yours.conditions.steal]).flat().filter((steal) => steal !== null)
  return {
    rounds: rounds.map(({ result }) => result),
    load: summariseLoad(served, rounds, evidence.problems),
    mechanism: seeMechanism(lesson, counted),
    steal: steals.length > 0 ? steals.reduce((sum, steal) => sum + steal, 0) / steals.length : null,
    output,
    evidence
  }
}
