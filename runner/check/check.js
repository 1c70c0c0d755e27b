import { PortTaken, TooBusy, WorkshopError } from '../shared/errors.js'
import { decide, isSound, mayPass, mergeEvidence, newEvidence } from '../judge/index.js'
import { firstForeign } from '../lesson/index.js'
import { gainOfTwo, withSession } from '../process/index.js'
import { newSeed } from '../shared/random.js'
import { contextOf } from './context.js'
import { startSoak, testContract } from './contract.js'
import { firstChange, isUnchanged, keptFiles } from './files.js'
import { explainSilence, insideMs, lookInside, sourceWarnings } from './inside.js'
import { runOwnCheck } from './own-check.js'
import { loadBeside, measureUnchanged, runPreview } from './quick.js'
import { inOrderOfText, namesOf, recordOf } from './record-of.js'
import { mostPace, runRounds, timesFor } from './rounds.js'

/**
 * @import { LoopRecording } from '../inside/index.js'
 * @import { Evidence, ResultRecord } from '../judge/index.js'
 * @import { LoadedLesson } from '../lesson/index.js'
 * @import { CheckOptions, Context, FullOptions, Unfinished } from './context.js'
 * @import { Outcome } from './round.js'
 *
 * @typedef {object} Checked
 * @property {ResultRecord} record
 * @property {Unfinished | null} unfinished what another check can go on with, where this one was inconclusive
 * @property {LoopRecording[] | null} [loops] of the slow server and of yours, recorded after the verdict
 *
 * @typedef {{ found: Partial<Evidence>[], output?: string, outcome?: Outcome }} Gathered output: what the submission
 *   wrote before the load
 */

/**
 * One check from beginning to end. Whatever happens, everything that it started is stopped and everything temporary is
 * removed before it returns or throws.
 *
 * @param {CheckOptions} given
 * @returns {Promise<Checked>} also when it's aborted after the verdict
 * @throws {WorkshopError} when there is nothing to grade, or nowhere to work
 */
export async function runCheck (given) {
  const options = withDefaults(given)
  const { entry, seed, speed, launch, signal, onProgress } = options
  const { lesson } = entry
  if (lesson.check !== undefined) return runOwnCheck(lesson.check, options)
  requireShipped(entry)
  const startedAt = new Date()
  onProgress({ type: 'phase', phase: 'start', text: 'Starting your server' })
  const inspect = Object.values(lesson.loads).some(({ batches }) => batches !== undefined)
  // Before anything of the submission's runs, which could disturb it.
  const gain = speed === false ? undefined : await gainOfTwo()
  return withSession(entry, { seed, inspect, launch, signal }, (session) =>
    checkServer(contextOf(session, options, gain), options, startedAt))
}

/** What is undefined doesn't replace a default. @param {CheckOptions} options @returns {FullOptions} */
function withDefaults ({ seed, speed = true, sampleInside = true, onProgress = () => {}, ...options }) {
  return { ...options, seed: seed ?? options.earlier?.seed ?? newSeed(), speed, sampleInside, onProgress }
}

/** @param {LoadedLesson} entry @throws {WorkshopError} */
function requireShipped (entry) {
  const foreign = firstForeign(entry)
  if (foreign === null) return
  throw new WorkshopError(`slow-servers/${foreign} differs from the one the workshop ships, so yours can’t be ` +
    'compared with it. `git checkout slow-servers` restores it, if you didn’t change it on purpose. ' +
    'Your own copy, which you may change, is in workspace/.')
}

/**
 * Evidence, verdict, record; and then what the two servers do inside.
 *
 * @param {Context} context
 * @param {FullOptions} options
 * @param {Date} startedAt
 * @returns {Promise<Checked>}
 */
async function checkServer (context, options, startedAt) {
  const { entry, dir, speed, sampleInside, onProgress, signal } = options
  const { session, submission } = context
  // Copying files just now must not look like a change.
  const openedMs = Date.now() + 1
  sayPace(context)
  const hints = sourceWarnings(entry.lesson, submission.dir)
  const unchanged = isUnchanged(entry, submission.dir)
  const { found, outcome, output = '' } = await gather(context, options, { startedAt, unchanged })
  const gathered = mergeEvidence(newEvidence(), ...found, { unchanged })
  const silence = await explainSilence(context, gathered)
  const changed = firstChange(entry, openedMs, { running: session.baseline.dir, thorough: mayPass(gathered) })
  const merged = changed === null
    ? gathered
    : mergeEvidence(gathered, { baselineFailures: [`${changed} was changed while the check ran.`] })
  const evidence = { ...merged, contract: inOrderOfText(merged.contract, entry.lesson) }
  const decision = decide(evidence, namesOf(entry, dir))
  const isFail = decision.verdict === 'fail'
  const run = { entry, submission: submission.shownDir, seed: session.seed, startedAt, work: session.workScale }
  const record = (/** @type {Parameters<typeof recordOf>[1]['inside']} */ inside) => recordOf(run, {
    decision: isFail ? { ...decision, ...silence } : decision,
    evidence,
    outcome,
    inside,
    // Servers that are stopped add to them.
    warnings: [...hints, ...session.warnings()],
    output: isFail && !isSound(evidence) ? outcome?.output || output : ''
  })
  const settled = record(undefined)
  const unfinished = decision.verdict === 'inconclusive' ? unfinishedOf(context, evidence, outcome) : null
  if (outcome === undefined || speed !== true || !sampleInside || !isSound(evidence)) {
    await session.stopAll()
    return { record: settled, unfinished }
  }
  // The verdict doesn't wait for what decides nothing.
  onProgress({ type: 'verdict', record: settled })
  try {
    const kept = keptFiles(entry, submission.dir)
    const inside = await lookInside(context, { limits: !unchanged, loops: options.eventLoop === true, kept })
    await session.stopAll()
    return { record: record(inside), unfinished, loops: inside.loops }
  } catch (error) {
    if (!signal?.aborted) throw error
    return { record: settled, unfinished }
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

/**
 * Everything that the verdict rests on, stage by stage: contract, rounds of load or a verified slice of it.
 *
 * @param {Context} context
 * @param {Pick<FullOptions, 'speed' | 'earlier' | 'budgetMs' | 'sampleInside' | 'launch'>} options
 * @param {{ startedAt: Date, unchanged: boolean }} given unchanged: the submission is still what learners start from
 * @returns {Promise<Gathered>}
 */
export async function gather (context, options, { startedAt, unchanged }) {
  const { speed, earlier, launch } = options
  try {
    if (speed === 'preview') return await runPreview(context)
    const known = unchanged && speed ? await measureUnchanged(context) : null
    if (known !== null) return known
    const load = speed ? null : loadBeside(context)
    const { found, output, tookMs } = earlier
      ? { found: { contract: earlier.contract }, output: '', tookMs: 0 }
      : await testContract(context, { compare: true, onLull: load?.begin })
    if (!isSound(mergeEvidence(newEvidence(), found))) return { found: [found], output }
    if (load !== null) {
      const outcome = await load.end()
      return { found: [found, outcome.evidence], output, outcome }
    }
    const spent = { elapsedMs: Date.now() - startedAt.getTime(), contractMs: tookMs }
    const [testSoaked] = await Promise.all([startSoak(context), context.getGenerator()])
    const budget = budgetOf(context, options, spent)
    const outcome = await runRounds(context, { ...budget, testSoaked, earlier: earlier?.rounds })
    return { found: [found, outcome.evidence], output, outcome }
  } catch (error) {
    if (error instanceof TooBusy) return { found: [{ unclear: error.message }] }
    if (!(error instanceof PortTaken)) throw error
    // In a sandbox no other program is there to take one.
    return { found: [launch ? { startFailure: portsTaken } : { portTaken: error.message }] }
  }
}

const portsTaken =
  'server.js, or what it started, took the ports that the check needs: listen on process.env.PORT alone.'

/**
 * What is left of the time for the rounds.
 *
 * @param {Context} context
 * @param {Pick<FullOptions, 'budgetMs' | 'sampleInside'>} options
 * @param {{ elapsedMs: number, contractMs: number }} spent so far
 */
function budgetOf ({ session: { pace } }, { budgetMs, sampleInside }, { elapsedMs, contractMs }) {
  const times = timesFor(pace)
  // The contract is checked once more afterwards, and takes about as long again.
  const left = times.wholeMs - elapsedMs - contractMs - (sampleInside ? insideMs : 0)
  const softMs = budgetMs ?? Math.max(times.leastRoundsMs, left)
  const hardMs = budgetMs ?? Math.min(softMs + times.extraMs, times.mostMs - elapsedMs - contractMs / 2)
  return { budgetMs: softMs, hardMs }
}

/** @param {Context} context @param {Evidence} evidence @param {Outcome} [outcome] @returns {Unfinished | null} */
function unfinishedOf ({ session: { seed, workScale } }, { contract }, outcome) {
  if (!outcome?.rounds.length) return null
  const passed = contract.filter(({ when, status }) => when === 'before' && status === 'pass')
  return { seed: `${seed}@${workScale}`, rounds: outcome.rounds, contract: passed }
}
