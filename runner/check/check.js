import os from 'node:os'
import { WorkshopError } from '../errors.js'
import { decide, isSound, mayPass, seeMechanism } from '../judge/index.js'
import { firstForeign } from '../lesson/index.js'
import { startGenerator } from '../load/index.js'
import { withSession } from '../process/index.js'
import { createRandom, newSeed } from '../random.js'
import { gatherEvidence } from './gather-evidence.js'
import { runOwnCheck } from './own-check.js'
import { explainSilence, impatient, measureLimits, recordOf, withInside } from './record-of.js'
import { mostPace } from './rounds.js'
import { sampleInside, sourceWarnings } from './sample-inside.js'
import { firstChange, isUnchanged, namesOf } from './unchanged.js'

/**
 * @import { Evidence, ResultRecord } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { Session } from '../process/index.js'
 * @import { CheckOptions, Context, FullCheckOptions, GatheredEvidence, InsideEvidence } from './record-of.js'
 */

/**
 * One check from beginning to end. Whatever happens, everything that it started is stopped and everything temporary is
 * removed before it returns or throws.
 *
 * @param {CheckOptions} options
 * @returns {Promise<ResultRecord>}
 * @throws {WorkshopError} when there is nothing to grade, or nowhere to work
 */
export async function runCheck (options) {
  /** @type {FullCheckOptions} */
  const given = {
    seed: options.earlier?.seed ?? newSeed(),
    speed: true,
    sampleInside: true,
    onProgress: () => {},
    onUnfinished: () => {},
    ...withoutGaps(options)
  }
  const { check } = options.entry.lesson
  return check === undefined ? checkServer(given) : runOwnCheck(check, given)
}

/** What is undefined doesn't replace a default. @param {CheckOptions} options */
function withoutGaps (options) {
  return /** @type {CheckOptions} */ (
    Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  )
}

/**
 * Grades a server: contract, rounds of load, gates, verdict, and then what the two servers do inside.
 *
 * @param {FullCheckOptions} options
 * @returns {Promise<ResultRecord>}
 * @throws {WorkshopError} when there is nothing to grade, or nowhere to work
 */
async function checkServer (options) {
  const { entry, dir, onProgress, launch, signal } = options
  const { lesson } = entry
  const startedAt = new Date()
  requireShipped(entry)
  onProgress({ type: 'phase', phase: 'start', text: 'Starting your server' })
  const inspect = Object.values(lesson.loads).some(({ batches }) => batches !== undefined)
  return withSession(entry, { seed: options.seed, inspect, launch, signal }, async (session) => {
    const context = contextOf(session, options)
    // Behind the copies that a session makes.
    const openedMs = Date.now() + 1
    sayPace(context)
    const hints = sourceWarnings(lesson, context.submission.dir)
    // Servers that are stopped add to them.
    const warnings = () => [...hints, ...session.warnings()]
    const unchanged = isUnchanged(entry, context.submission.dir)
    const gathered = await gatherEvidence(context, options, { startedAt, unchanged })
    const { outcome } = gathered
    const silence = await explainSilence(context, gathered.evidence)
    const evidence = withChange(gathered.evidence, entry, { running: session.baseline.dir, openedMs })
    const decision = decide(evidence, namesOf(entry, dir))
    const isFail = decision.verdict === 'fail'
    const record = recordOf({
      entry,
      submission: context.submission.shownDir,
      decision: isFail ? { ...decision, ...silence } : decision,
      evidence,
      rounds: outcome?.rounds,
      load: outcome?.load,
      latencies: outcome?.latencies,
      waterfall: outcome?.waterfall,
      steal: outcome?.steal,
      work: session.workScale,
      mechanism: outcome ? mechanismOf(context, gathered, decision.verdict) : null,
      warnings: warnings(),
      output: isFail && !isSound(evidence) ? gathered.output : '',
      seed: session.seed,
      startedAt
    })
    if (decision.verdict === 'inconclusive') tellUnfinished(options, session, gathered)
    if (outcome === undefined || options.speed !== true || !options.sampleInside || !isSound(evidence)) {
      await session.stopAll()
      return record
    }
    // The verdict doesn't wait for what decides nothing.
    onProgress({ type: 'verdict', record })
    const inside = await collectInside(context, { limits: !unchanged })
    await session.stopAll()
    return withInside(record, {
      lesson,
      advice: decision.advice,
      inside,
      mechanism: mechanismOf(context, gathered, decision.verdict, inside.samples),
      warnings: warnings()
    })
  })
}

/** @param {LoadedLesson} entry @throws {WorkshopError} */
function requireShipped (entry) {
  const foreign = firstForeign(entry)
  if (foreign === null) return
  throw new WorkshopError(`slow-servers/${foreign} differs from the one the workshop ships, so yours can’t be ` +
    'compared with it. `git checkout slow-servers` restores it, if you didn’t change it on purpose. ' +
    'Your own copy, which you may change, is in workspace/.')
}

/** @param {Session} session @param {FullCheckOptions} options @returns {Context} */
function contextOf (session, { entry, dir, speed, onProgress }) {
  return {
    lesson: entry.lesson,
    session,
    submission: session.openSubmission(dir),
    random: createRandom(`${session.seed}/contract`),
    cores: os.availableParallelism(),
    getGenerator: once(async () => {
      const generator = await startGenerator(session)
      return speed === 'preview' ? impatient(generator) : generator
    }),
    onProgress,
    phase: (name, text) => onProgress({ type: 'phase', phase: name, text })
  }
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

/** @template T @param {() => Promise<T>} start @returns {() => Promise<T>} */
function once (start) {
  /** @type {Promise<T> | undefined} */
  let started
  return () => (started ??= start())
}

/**
 * @param {Evidence} evidence
 * @param {LoadedLesson} entry
 * @param {{ running: string, openedMs: number }} session
 * @returns {Evidence} with what was changed of the workshop's own files while the check ran
 */
function withChange (evidence, entry, { running, openedMs }) {
  const changed = firstChange(entry, openedMs, { running, thorough: mayPass(evidence) })
  if (changed === null) return evidence
  const failure = `${changed} was changed while the check ran.`
  return { ...evidence, baselineFailures: [...evidence.baselineFailures, failure] }
}

/**
 * @param {Context} context
 * @param {GatheredEvidence} gathered
 * @param {ResultRecord['verdict']} verdict
 * @param {InsideEvidence['samples']} [samples]
 */
function mechanismOf ({ lesson }, { outcome }, verdict, samples = nothingInside.samples) {
  return seeMechanism(lesson, samples, outcome?.cpuPerRequest ?? null, { passed: verdict === 'pass' })
}

/** @param {FullCheckOptions} options @param {Session} session @param {GatheredEvidence} gathered */
function tellUnfinished ({ onUnfinished }, { seed, workScale }, { evidence, outcome }) {
  if (!outcome?.measured?.length) return
  const contract = evidence.contract.filter(({ when, status }) => when === 'before' && status === 'pass')
  onUnfinished({ seed: `${seed}@${workScale}`, rounds: outcome.measured, contract })
}

/** @type {InsideEvidence} */
const nothingInside = { samples: { baseline: null, yours: null }, limits: new Map() }

/**
 * It decides nothing: if it fails, the verdict doesn't change.
 *
 * @param {Context} context
 * @param {{ limits: boolean }} what limits: measure those of the machine, too
 * @returns {Promise<InsideEvidence>}
 */
async function collectInside (context, what) {
  const generator = await context.getGenerator()
  /** @template T @param {Promise<T>} promise @param {T} instead */
  const or = (promise, instead) => promise.catch((error) => {
    if (context.session.signal?.aborted) throw error
    return instead
  })
  context.phase('inside', 'Looking inside both servers')
  const samples = await or(sampleInside(context, generator), nothingInside.samples)
  if (!what.limits) return { samples, limits: nothingInside.limits }
  context.phase('inside', 'Measuring the limit of this machine')
  return { samples, limits: await or(measureLimits(context, generator), nothingInside.limits) }
}
