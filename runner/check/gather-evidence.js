import { PortTaken } from '../errors.js'
import { createStandings, isSound, mergeEvidence, newEvidence, summariseLoad, unchangedGates } from '../judge/index.js'
import { judgedOn } from '../process/index.js'
import { startSoak, testContract, testDuringLoad } from './contract.js'
import { noteSlice, runPreviewRound } from './round.js'
import { loadsOf, runRounds, timesFor } from './rounds.js'
import { insideMs } from './sample-inside.js'

/**
 * Everything that the verdict on a server rests on: contract, rounds of load, gates.
 *
 * @import { Evidence, GateResult, SliceReport } from '../judge/index.js'
 * @import { Generator } from '../load/index.js'
 * @import { Server, Started } from '../process/index.js'
 * @import { Context, FullCheckOptions, GatheredEvidence, RoundsOutcome } from './record-of.js'
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

/**
 * @typedef {{ generator: Promise<Generator>, started: Promise<Started> }} Ready
 */

/** A slice is long enough for this many answers, and for servers that misbehave only when they are busy. */
const sliceMs = 300

/**
 * Starts what the slices need, ahead of them.
 *
 * @param {Context} context
 * @returns {Ready}
 */
function getReady ({ session, submission, getGenerator }) {
  const ready = { generator: getGenerator(), started: session.start('yours', submission) }
  // When neither is awaited any more, the check is over, and has said why.
  for (const promise of Object.values(ready)) promise.catch(() => {})
  return ready
}

/**
 * Is every answer right under load? One verified slice of each load, of the submission alone, whose speed is not
 * measured.
 *
 * @param {Context} context
 * @param {Ready} ready
 * @returns {Promise<RoundsOutcome>}
 */
async function verifyUnderLoad (context, ready) {
  const { lesson, phase } = context
  const evidence = newEvidence()
  const servers = createServers(context, ready, evidence)
  const generator = await ready.generator
  /** @type {SliceReport[]} */
  const served = []
  phase('rounds', 'Checking every answer under load')
  for (const name of loadsOf(lesson)) {
    const server = await servers.forLoad(name)
    if (server === null) break
    served.push(...await loadOnce(context, generator, { name, server, instance: servers.count(), evidence }))
    if (!isSound(evidence)) break
  }
  evidence.gates = createStandings(lesson, judgedOn()).judge([])
  evidence.unmeasured = true
  return {
    rounds: [],
    load: summariseLoad(served, [], evidence.problems),
    cpuPerRequest: null,
    waterfall: null,
    steal: null,
    output: servers.output(),
    evidence
  }
}

/**
 * One server after the other, where a load wants a fresh one.
 *
 * @param {Context} context
 * @param {Ready} ready
 * @param {Evidence} evidence learns of one that does not start
 */
function createServers ({ lesson, session, submission }, ready, evidence) {
  let output = ''
  let count = 0
  /** @type {Server | null} */
  let server = null
  return {
    count: () => count,
    output: () => server?.output() ?? output,
    /** @param {string} name @returns {Promise<Server | null>} */
    forLoad: async (name) => {
      if (server !== null && !lesson.loads[name].fresh) return server
      if (server !== null) await session.stop(server)
      const started = await (count++ === 0 ? ready.started : session.start('yours', submission))
      if (started.failure !== null) {
        evidence.startFailure = `Started again, your server failed: ${started.failure}`
        output = started.output
      }
      server = started.server
      return server
    }
  }
}

/**
 * @param {Context} context
 * @param {Generator} generator
 * @param {{ name: string, server: Server, instance: number, evidence: Evidence }} given
 * @returns {Promise<SliceReport[]>}
 */
async function loadOnce (context, generator, { name, server, instance, evidence }) {
  const load = context.lesson.loads[name]
  const order = {
    instance: `yours#${instance}`,
    load: name,
    port: server.port,
    sliceMs,
    sliceAnswers: load.sliceAnswers ?? 10,
    exactly: load.exactly
  }
  let running = true
  const slices = async () => {
    const first = await generator.slice(order)
    if (load.arrivals === undefined || first.rate === 0) return [first]
    // How much arrives follows from what this server can do, since the slow one is not there to compare with.
    return [first, await generator.slice({ ...order, rate: load.arrivals * first.rate })]
  }
  const tests = testDuringLoad(context, { server, label: name, evidence, running: () => running })
  const [reports] = await Promise.all([slices().finally(() => { running = false }), tests])
  for (const report of reports) noteSlice('yours', server, report, evidence)
  return reports
}
