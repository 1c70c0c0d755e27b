import { PortTaken } from '../errors.js'
import { createStandings, isSound, mergeEvidence, newEvidence, unchangedGates } from '../judge/index.js'
import { judgedOn } from '../system/index.js'
import { testContract } from './contract.js'
import { startSoak } from './model-test.js'
import { runPreviewRound, runRounds, timesFor } from './rounds/index.js'
import { insideMs } from './sample-inside.js'
import { getReady, verifyUnderLoad } from './verify-under-load.js'

/**
 * Everything that the verdict on a server rests on: contract, rounds of load, gates.
 *
 * @import { GateResult } from '../judge/index.js'
 * @import { Context, FullCheckOptions, GatheredEvidence } from './context.js'
 */

/**
 * @param {Context} context
 * @param {FullCheckOptions} options
 * @param {{ startedAt: Date, unchanged: boolean }} given unchanged: the submission is still what learners start from
 * @returns {Promise<GatheredEvidence>}
 */
export async function gatherEvidence (context, options, { startedAt, unchanged }) {
  const known = unchanged && options.speed === true
  try {
    const gathered = (known ? await gatherUnchanged(context) : null) ?? await gather(context, options, startedAt)
    return { ...gathered, evidence: { ...gathered.evidence, unchanged } }
  } catch (error) {
    if (!(error instanceof PortTaken)) throw error
    return { evidence: { ...newEvidence(), portTaken: error.message, unchanged }, output: '' }
  }
}

/**
 * @param {Context} context
 * @param {FullCheckOptions} options
 * @param {Date} startedAt
 * @returns {Promise<GatheredEvidence>}
 */
async function gather (context, options, startedAt) {
  const { speed, earlier } = options
  if (speed === 'preview') return gatherPreview(context)
  // While the contract is checked, what the load needs can start already.
  const ready = speed ? null : getReady(context)
  const contract = earlier
    ? { evidence: { ...newEvidence(), contract: earlier.contract }, output: '', tookMs: 0 }
    : await gatherContract(context, { compare: true })
  const { evidence, output, tookMs } = contract
  if (!isSound(evidence)) return { evidence, output }
  const outcome = ready === null
    ? await gatherRounds(context, options, { elapsedMs: Date.now() - startedAt.getTime(), contractMs: tookMs })
    : await verifyUnderLoad(context, ready)
  return { evidence: mergeEvidence(evidence, outcome.evidence), output: outcome.output || output, outcome }
}

/**
 * @param {Context} context
 * @param {FullCheckOptions} options
 * @param {{ elapsedMs: number, contractMs: number }} spent so far
 */
async function gatherRounds (context, { budgetMs, earlier, sampleInside }, { elapsedMs, contractMs }) {
  const times = timesFor(context.session.pace)
  const [generator, testSoaked] = await Promise.all([context.getGenerator(), startSoak(context)])
  // The contract is checked once more afterwards, and takes about as long again.
  const left = times.wholeMs - elapsedMs - contractMs - (sampleInside ? insideMs : 0)
  const softMs = budgetMs ?? Math.max(times.leastRoundsMs, left)
  const hardMs = budgetMs ?? Math.min(softMs + times.extraMs, times.mostMs - elapsedMs - contractMs / 2)
  return runRounds({ ...context, generator, testSoaked, budgetMs: softMs, hardMs, earlier: earlier?.rounds })
}

/**
 * The slow server needs no proof that it is slow: one round says what it does now.
 *
 * @param {Context} context
 * @returns {Promise<GatheredEvidence | null>} null where that alone fails no gate
 */
async function gatherUnchanged (context) {
  const { lesson, onProgress } = context
  const machine = judgedOn()
  const known = (/** @type {GateResult[]} */ gates) => unchangedGates(lesson.gates, machine, gates)
  if (known(createStandings(lesson, machine).judge([])) === null) return null
  const outcome = await runPreviewRound({
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
 * @returns {Promise<GatheredEvidence>}
 */
async function gatherPreview (context) {
  const outcome = await runPreviewRound(context)
  if (!isSound(outcome.evidence)) return { evidence: outcome.evidence, output: outcome.output, outcome }
  const { evidence, output } = await gatherContract(context, { compare: false })
  const { gates, unmeasured, contract } = outcome.evidence
  const all = { ...evidence, gates, unmeasured, contract: [...contract, ...evidence.contract] }
  return { evidence: all, output: output || outcome.output, outcome }
}

/**
 * @param {Context} context
 * @param {{ compare: boolean }} options compare: ask the slow server, too, what yours fails
 * @returns {Promise<GatheredEvidence & { tookMs: number }>}
 */
async function gatherContract (context, { compare }) {
  const { session, submission, phase } = context
  const evidence = newEvidence()
  const yours = await session.start('yours', submission)
  if (yours.failure !== null) {
    return { evidence: { ...evidence, startFailure: yours.failure }, output: yours.output, tookMs: 0 }
  }
  const startedAt = Date.now()
  phase('contract', 'Checking that every answer is right')
  const { baselineFailures, results: contract } = await testContract(context, { yours: yours.server, compare })
  const output = yours.server.output()
  const crash = yours.server.hasExited() ? `Your server ${yours.server.howItEnded()} while it was being graded.` : null
  await session.stop(yours.server)
  return { evidence: { ...evidence, baselineFailures, contract, crash }, output, tookMs: Date.now() - startedAt }
}
