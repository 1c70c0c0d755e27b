import os from 'node:os'
import { startGenerator } from '../load/index.js'
import {
  contradictions, createStandings, decide, isSound, mergeEvidence, newEvidence, seeMechanism, unchangedGates
} from '../judge/index.js'
import { WorkshopError } from '../errors.js'
import { firstForeign } from '../lesson/index.js'
import { createRandom } from '../random.js'
import { withSession } from '../session/index.js'
import { judgedOn } from '../system/index.js'
import { firstChange } from './changed-since.js'
import { checkContract } from './contract.js'
import { measureLimits, withLimit } from './limit.js'
import { lookInside, lookMs } from './look-inside.js'
import { namesOf } from './names-of.js'
import { recordOf } from './record-of.js'
import { mostPace, runFirstRound, runRounds, timesFor } from './rounds/index.js'
import { startAging } from './sequence.js'
import { getReady, runSlices } from './slices.js'
import { sourceWarnings } from './source-hints.js'
import { explainSilence, impatient } from './stuck.js'
import { isUnchanged } from './unchanged.js'

/**
 * @import { ContractResult, Evidence, GateResult, MechanismResult, PhaseEvent, ResultRecord, Sides }
 *   from '../judge/index.js'
 * @import { Lesson, LoadedLesson, Random } from '../lesson/index.js'
 * @import { Generator } from '../load/index.js'
 * @import { Place, Server, Session } from '../session/index.js'
 * @import { RoundsOutcome } from './rounds/index.js'
 * @import { FullCheckOptions } from './run-check.js'
 *
 * What every stage of a check is handed.
 * @typedef {object} Context
 * @property {Lesson} lesson
 * @property {Session} session
 * @property {Place} submission
 * @property {Random} random for the contract
 * @property {number} cores
 * @property {() => Promise<Generator>} getGenerator started when it is first asked for
 * @property {FullCheckOptions['onProgress']} onProgress
 * @property {(name: PhaseEvent['phase'], text: string) => void} phase
 *
 * @typedef {object} Seen
 * @property {Evidence} evidence
 * @property {string} output what the submission wrote
 * @property {RoundsOutcome} [outcome] of the rounds, where there were any
 *
 * @typedef {{ samples: Sides, limits: Map<string, number> }} Looked limits: by load, answers a second of a bare server
 */

/**
 * Grades a server: contract, rounds of load, gates, verdict, and a look inside.
 *
 * @param {FullCheckOptions} options
 * @returns {Promise<ResultRecord>}
 * @throws {WorkshopError} when there is nothing to grade, or nowhere to work
 */
export async function checkServer (options) {
  const { entry, dir, onProgress, signal } = options
  const { lesson } = entry
  const startedAt = new Date()
  requireShipped(entry)
  /** @type {Context['phase']} */
  const phase = (name, text) => onProgress({ type: 'phase', phase: name, text })
  phase('start', 'Starting your server')
  const inspect = Object.values(lesson.loads).some(({ batches }) => batches !== undefined)
  return withSession(entry, { seed: options.seed, inspect, signal }, async (session) => {
    const submission = session.openSubmission(dir)
    // Behind the copies that a session makes.
    const openedMs = Date.now() + 1
    const random = createRandom(`${session.seed}/contract`)
    /** @type {Context} */
    const context = {
      lesson,
      session,
      submission,
      random,
      cores: os.availableParallelism(),
      getGenerator: once(async () => {
        const generator = await startGenerator(session)
        return options.speed === 'first' ? impatient(generator) : generator
      }),
      onProgress,
      phase
    }
    const warnings = sourceWarnings(lesson, submission.dir)
    sayPace(context)
    const unchanged = isUnchanged(entry, submission.dir)
    const seen = unchanged && options.speed === true
      ? await seeUnchanged(context) ?? await see(context, options, startedAt)
      : await see(context, options, startedAt)
    const { evidence, output, outcome } = seen
    const silence = await explainSilence(context, evidence)
    const thorough = decide(evidence).verdict === 'pass'
    const changed = firstChange(entry, openedMs, { running: session.slow.dir, thorough })
    if (changed !== null) evidence.baselineFailures.push(`${changed} was changed while the check ran.`)
    evidence.unchanged = unchanged
    /** @param {Looked} [looked] */
    const record = ({ samples, limits } = nothingSeen) => {
      const decided = decide({ ...evidence, place: samples.yours?.place ?? null }, namesOf(entry, dir))
      const decision = decided.verdict === 'fail' ? { ...decided, ...silence } : decided
      const passed = decision.verdict === 'pass'
      const mechanism = outcome ? seeMechanism(lesson, samples, outcome.cpuPerRequest, { passed }) : null
      return recordOf({
        entry,
        submission: submission.shownDir,
        decision,
        evidence: { ...evidence, gates: evidence.gates.map((gate) => withLimit(gate, lesson, limits)) },
        rounds: outcome?.rounds,
        load: outcome?.load,
        latencies: outcome?.latencies,
        waterfall: outcome?.waterfall,
        steal: outcome?.steal,
        work: session.speed,
        mechanism,
        warnings: [...warnings, ...session.warnings(), ...contradictions(mechanism)],
        output: decision.verdict === 'fail' && needsOutput(evidence) ? output : '',
        seed: session.seed,
        startedAt
      })
    }
    const settled = record()
    if (settled.verdict === 'inconclusive' && outcome?.measured?.length) {
      const { seed, speed } = session
      options.onUnfinished({ seed: `${seed}@${speed}`, rounds: outcome.measured, contract: contractBefore(seen) })
    }
    if (outcome === undefined || options.speed !== true || !options.look || !isSound(evidence)) {
      await session.stopAll()
      return settled
    }
    // The verdict doesn't wait for what decides nothing.
    onProgress({ type: 'verdict', record: settled })
    const looked = await look(context, { limits: !unchanged })
    await session.stopAll()
    return record(looked)
  })
}

/** @param {LoadedLesson} entry @throws {WorkshopError} */
function requireShipped (entry) {
  const foreign = firstForeign(entry)
  if (foreign === null) return
  throw new WorkshopError(`slow-servers/${foreign} is not as the workshop ships it, so nothing can be compared with ` +
    'it. `git checkout slow-servers` brings it back, if you have not changed it on purpose. ' +
    'Your own copy, which you may change, is in workspace/.')
}

/** A machine this much slower than those on which the targets were set is told of. */
const slowPace = 1.3
/** What a check takes at the median on a machine that is as fast as those, ms. */
const usualMs = 15_000

/** @param {Context} context */
function sayPace ({ session: { pace, limit }, phase }) {
  if (pace < slowPace) return
  const what = limit === null ? 'This machine is slow' : `This system lets us use ${Number(limit.toPrecision(2))} CPUs`
  phase('start', `${what}: a check takes about ${Math.round(usualMs * Math.min(pace, mostPace) / 5000) * 5} s here`)
}

/** The results of before the load alone. @param {Seen} seen @returns {ContractResult[]} */
function contractBefore ({ evidence }) {
  return evidence.contract.filter(({ when, status }) => when === 'before' && status === 'pass')
}

/** @template T @param {() => Promise<T>} start @returns {() => Promise<T>} */
function once (start) {
  /** @type {Promise<T> | undefined} */
  let started
  return () => (started ??= start())
}

/** @type {Looked} */
const nothingSeen = { samples: { baseline: null, yours: null }, limits: new Map() }

/**
 * Everything that a verdict rests on.
 *
 * @param {Context} context
 * @param {FullCheckOptions} options
 * @param {Date} startedAt
 * @returns {Promise<Seen>}
 */
async function see (context, { speed, look: looks, budgetMs, earlier }, startedAt) {
  if (speed === 'first') return seeFirst(context)
  const times = timesFor(context.session.pace)
  // While the contract is checked, what the slices need can start already.
  const ready = speed ? null : getReady(context)
  const contract = earlier
    ? { evidence: { ...newEvidence(), contract: earlier.contract }, output: '', tookMs: 0 }
    : await seeContract(context, { compare: speed })
  const { evidence, output } = contract
  if (evidence.startFailure !== null || !isSound(evidence)) return { evidence, output }
  if (ready !== null) {
    const slices = await runSlices(context, ready)
    return { evidence: mergeEvidence(evidence, slices.evidence), output: slices.output || output, outcome: slices }
  }
  const [generator, checkAged] = await Promise.all([context.getGenerator(), startAging(context)])
  // The contract is checked once more afterwards, and takes about as long again.
  const elapsedMs = Date.now() - startedAt.getTime()
  const left = times.wholeMs - elapsedMs - contract.tookMs - (looks ? lookMs : 0)
  const softMs = budgetMs ?? Math.max(times.leastRoundsMs, left)
  const hardMs = budgetMs ?? Math.min(softMs + times.extraMs, times.mostMs - elapsedMs - contract.tookMs / 2)
  const rounds = earlier?.rounds
  const outcome = await runRounds({ ...context, generator, checkAged, budgetMs: softMs, hardMs, earlier: rounds })
  return { evidence: mergeEvidence(evidence, outcome.evidence), output: outcome.output || output, outcome }
}

/**
 * The slow server needs no proof that it is slow: one round says what it does now.
 *
 * @param {Context} context
 * @returns {Promise<Seen | null>} null where that alone fails no gate
 */
async function seeUnchanged (context) {
  const { lesson, onProgress } = context
  const machine = judgedOn()
  const known = (/** @type {GateResult[]} */ gates) => unchangedGates(lesson.gates, machine, gates)
  if (known(createStandings(lesson, machine).judge([])) === null) return null
  const outcome = await runFirstRound({
    ...context,
    onProgress: (event) => onProgress(event.type === 'round' ? { ...event, gates: known(event.gates) ?? [] } : event)
  })
  const { evidence, output } = outcome
  return { evidence: { ...evidence, gates: known(evidence.gates) ?? [], unmeasured: false }, output, outcome }
}

/**
 * The speed first: it is known within two seconds, and whether all answers are right is not.
 *
 * @param {Context} context
 * @returns {Promise<Seen>}
 */
async function seeFirst (context) {
  const outcome = await runFirstRound(context)
  if (!isSound(outcome.evidence)) return { evidence: outcome.evidence, output: outcome.output, outcome }
  const { evidence, output } = await seeContract(context, { compare: false })
  const { gates, unmeasured, contract } = outcome.evidence
  const all = { ...evidence, gates, unmeasured, contract: [...contract, ...evidence.contract] }
  return { evidence: all, output: output || outcome.output, outcome }
}

/**
 * It decides nothing: where there is none, the verdict stands all the same.
 *
 * @param {Context} context
 * @param {{ limits: boolean }} what limits: measure those of the machine, too
 * @returns {Promise<Looked>}
 */
async function look (context, what) {
  const generator = await context.getGenerator()
  /** @template T @param {Promise<T>} promise @param {T} instead */
  const or = (promise, instead) => promise.catch((error) => {
    if (context.session.signal?.aborted) throw error
    return instead
  })
  context.phase('look', 'Looking inside both servers')
  const samples = await or(lookInside(context, generator), nothingSeen.samples)
  if (!what.limits) return { samples, limits: nothingSeen.limits }
  context.phase('look', 'Measuring the limit of this machine')
  return { samples, limits: await or(measureLimits(context, generator), nothingSeen.limits) }
}

/**
 * @param {Context} context
 * @param {{ compare: boolean }} options compare: ask the slow server, too, what yours fails
 * @returns {Promise<Seen & { tookMs: number }>}
 */
async function seeContract (context, { compare }) {
  const { session, submission, phase } = context
  const evidence = newEvidence()
  const yours = await session.start('yours', submission)
  if (yours.failure !== null) {
    evidence.startFailure = yours.failure
    return { evidence, output: yours.output, tookMs: 0 }
  }
  const startedAt = Date.now()
  phase('contract', 'Checking that every answer is right')
  const { baselineFailures, results } = await checkContract(context, { yours: yours.server, compare })
  evidence.baselineFailures.push(...baselineFailures)
  evidence.contract.push(...results)
  const output = yours.server.output()
  evidence.crash = endOf(yours.server)
  await session.stop(yours.server)
  return { evidence, output, tookMs: Date.now() - startedAt }
}

/** @param {Server} server */
function endOf (server) {
  return server.hasExited() ? `Your server ${server.howItEnded()} while it was being graded.` : null
}

/** @param {Evidence} evidence */
function needsOutput ({ startFailure, crash, contract, problems }) {
  return (
    startFailure !== null || crash !== null || problems.length > 0 || contract.some(({ status }) => status === 'fail')
  )
}
